//! A weather station: its sensors deliver values, and formulas sum up a day.

use evalexpr::{
    build_operator_tree, ContextWithMutableFunctions, ContextWithMutableVariables,
    DefaultNumericTypes, EvalexprError, Function, HashMapContext, Node, Value,
};

type Formula = Node<DefaultNumericTypes>;
type Number = Value<DefaultNumericTypes>;

trait Sensor {
    const NAME: &'static str;

    fn at(&self, hour: u32) -> Number;
}

struct Thermometer {
    noon: f64,
    midnight: f64,
}

impl Sensor for Thermometer {
    const NAME: &'static str = "temperature";

    fn at(&self, hour: u32) -> Number {
        let distance = f64::from(hour.abs_diff(12)) / 12.0;
        Value::Float(self.noon + (self.midnight - self.noon) * distance)
    }
}

struct RainGauge(Vec<i64>);

impl Sensor for RainGauge {
    const NAME: &'static str = "rain";

    fn at(&self, hour: u32) -> Number {
        Value::Int(self.0.get(hour as usize / 6).copied().unwrap_or(0))
    }
}

struct Summary {
    context: HashMapContext,
    formulas: Vec<(String, Formula)>,
}

impl Summary {
    fn new() -> Result<Self, EvalexprError> {
        let mut context = HashMapContext::new();
        let rounded = Function::new(|argument: &Number| {
            let number = argument.as_number()?;
            Ok(Value::Float((number * 10.0).round() / 10.0))
        });
        context.set_function("tenths".to_string(), rounded)?;
        Ok(Summary {
            context,
            formulas: Vec::new(),
        })
    }

    /// Values of a sensor every six hours, under names such as `rain_6`.
    fn measured<S: Sensor>(mut self, sensor: &S) -> Result<Self, EvalexprError> {
        for hour in (0..24).step_by(6) {
            let name = format!("{}_{hour}", S::NAME);
            self.context.set_value(name, sensor.at(hour))?;
        }
        let all: Vec<Number> = (0..24).step_by(6).map(|hour| sensor.at(hour)).collect();
        self.context.set_value(format!("{}s", S::NAME), Value::Tuple(all))?;
        Ok(self)
    }

    fn formula(mut self, name: &str, text: &str) -> Result<Self, EvalexprError> {
        self.formulas.push((name.to_string(), build_operator_tree(text)?));
        Ok(self)
    }

    fn evaluate(&mut self) -> Result<Vec<String>, EvalexprError> {
        let mut lines = Vec::new();
        for (name, formula) in &self.formulas {
            let value = formula.eval_with_context(&self.context)?;
            lines.push(format!("{name}: {value}"));
            self.context.set_value(name.clone(), value)?;
        }
        Ok(lines)
    }
}

fn day<S: Sensor>(sensor: &S, formulas: &[(&str, &str)]) -> Result<Vec<String>, EvalexprError> {
    let mut summary = Summary::new()?.measured(sensor)?;
    for (name, text) in formulas {
        summary = summary.formula(name, text)?;
    }
    summary.evaluate()
}

#[test]
fn rain_is_added_up() -> Result<(), EvalexprError> {
    let gauge = RainGauge(vec![0, 3, 12, 1]);
    let lines = day(
        &gauge,
        &[
            ("total", "rain_0 + rain_6 + rain_12 + rain_18"),
            ("most", "max(rains)"),
            ("wet", "if(total > 10, \"yes\", \"no\")"),
            ("share", "tenths(100.0 * most / total)"),
        ],
    )?;
    assert_eq!(lines, ["total: 16", "most: 12", "wet: \"yes\"", "share: 75"]);
    Ok(())
}

#[test]
fn a_warm_day_is_summed_up() {
    let thermometer = Thermometer {
        noon: 24.5,
        midnight: 12.5,
    };
    let formulas = [
        ("high", "max(temperatures)"),
        ("low", "min(temperatures)"),
        ("range", "high - low"),
    ];
    let lines = day(&thermometer, &formulas).unwrap();
    assert_eq!(lines, ["high: 24.5", "low: 12.5", "range: 12"]);
}

#[test]
fn mistakes_in_formulas_are_found() {
    let gauge = RainGauge(Vec::new());
    for (text, is_right) in [
        ("rain_0 +", false),
        ("rain_1", false),
        ("unknown(rain_0)", false),
        ("max(rain_0, \"much\")", false),
        ("max(rain_0, rain_6) == 0", true),
    ] {
        let lines = day(&gauge, &[("value", text)]);
        assert_eq!(lines.is_ok(), is_right, "{text}: {lines:?}");
    }
}

#[test]
fn a_night_of_frost_is_summed_up() {
    let thermometer = Thermometer {
        noon: -1.5,
        midnight: -9.25,
    };
    assert_eq!(thermometer.at(12), Value::Float(-1.5));
    let formulas = [
        ("low", "min(temperatures)"),
        ("cold", "low < -5"),
        ("mean", "tenths((temperature_0 + temperature_6 + temperature_12 + temperature_18) / 4)"),
        ("high", "max(temperatures)"),
        ("range", "high - low"),
    ];
    let lines = day(&thermometer, &formulas).unwrap();
    assert_eq!(lines[..2], ["low: -9.25", "cold: true"]);
    assert_eq!(lines[2], "mean: -5.4");
    assert_eq!(lines[3..], ["high: -1.5", "range: 7.75"]);
}
