//! The DevTools protocol, as far as it is needed: commands and their answers, and what a page says meanwhile.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// Nothing takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A tab of a browser.
pub(crate) struct DevTools {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    last_id: u64,
    /// What was told since the page was opened, with the name of each event.
    events: Vec<(String, Value)>,
}

impl DevTools {
    /// Opens a tab in the browser that listens there.
    ///
    /// # Errors
    /// Where it does not answer.
    pub(crate) fn connect(address: &str) -> Result<Self> {
        let (socket, _) = tungstenite::connect(address).context("failed to reach the browser")?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE))?;
        }
        let mut devtools = Self {
            socket,
            session: None,
            last_id: 0,
            events: Vec::new(),
        };
        let target = devtools.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = devtools.call("Target.attachToTarget", attach)?;
        devtools.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            devtools.call(&format!("{domain}.enable"), json!({}))?;
        }
        devtools.call(
            "Emulation.setFocusEmulationEnabled",
            json!({ "enabled": true }),
        )?;
        Ok(devtools)
    }

    /// Opens a file, and waits until it is there.
    ///
    /// # Errors
    /// Where it does not open.
    pub(crate) fn open(&mut self, file: &Path) -> Result<()> {
        self.events.clear();
        let url = format!("file://{}", file.display());
        let opened = self.call("Page.navigate", json!({ "url": url }))?;
        ensure!(
            opened["errorText"].is_null(),
            "{url} does not open: {opened}"
        );
        while !self
            .events
            .iter()
            .any(|(name, _)| name == "Page.loadEventFired")
        {
            self.read()?;
        }
        Ok(())
    }

    /// Calls a method, and waits for its answer.
    ///
    /// # Errors
    /// What the browser says, or that it says nothing.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string()))?;
        loop {
            let mut answer = self.read()?;
            if answer["id"] == id {
                ensure!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return Ok(answer["result"].take());
            }
        }
    }

    /// The value of an expression in the page; a promise is waited for.
    ///
    /// # Errors
    /// What it throws.
    pub(crate) fn value(&mut self, expression: &str) -> Result<Value> {
        let parameters = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
        });
        let mut answer = self.call("Runtime.evaluate", parameters)?;
        if !answer["exceptionDetails"].is_null() {
            bail!("`{expression}` throws {}", answer["exceptionDetails"]);
        }
        Ok(answer["result"]["value"].take())
    }

    /// The text that an expression gives.
    ///
    /// # Errors
    /// Where it is no text.
    pub(crate) fn text(&mut self, expression: &str) -> Result<String> {
        let value = self.value(expression)?;
        let text = value.as_str().map(str::to_owned);
        text.with_context(|| format!("`{expression}` is {value}, and no text"))
    }

    /// Presses a key.
    ///
    /// # Errors
    /// Those of the protocol.
    pub(crate) fn press(&mut self, key: &str, code: u32) -> Result<()> {
        for kind in ["rawKeyDown", "keyUp"] {
            let event =
                json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    /// Clicks the middle of the element that an expression gives.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) fn click(&mut self, element: &str) -> Result<()> {
        let place = self.value(&format!(
            "(() => {{ const it = {element}; it.scrollIntoView({{ block: 'center' }}); \
             const {{ x, y, width, height }} = it.getBoundingClientRect(); \
             return [x + width / 2, y + height / 2, width]; }})()"
        ))?;
        ensure!(place[2].as_f64() > Some(0.0), "{element} is not to be seen");
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// What went wrong in the page, and what it has asked for beside its own file.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let complaint = |(name, event): &(String, Value)| {
            let url = event["request"]["url"].as_str().unwrap_or_default();
            let is_foreign = name == "Network.requestWillBeSent" && !url.starts_with("file://");
            let is_error = matches!(
                name.as_str(),
                "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded"
            );
            (is_foreign || is_error).then(|| format!("{name}: {event}"))
        };
        self.events.iter().filter_map(complaint).collect()
    }

    /// Ends the browser.
    ///
    /// # Errors
    /// Where it does not listen any more.
    pub(crate) fn close_browser(&mut self) -> Result<()> {
        self.session = None;
        self.call("Browser.close", json!({})).map(drop)
    }

    /// The next message. An event is noted too.
    fn read(&mut self) -> Result<Value> {
        loop {
            let message = self.socket.read().context("the browser says nothing")?;
            let Message::Text(text) = message else {
                continue;
            };
            let message: Value = serde_json::from_str(&text)?;
            if let Some(name) = message["method"].as_str() {
                self.events
                    .push((name.to_owned(), message["params"].clone()));
            }
            return Ok(message);
        }
    }
}
