//! A program that tries what a candidate must not do. Compiled by the tests with the toolchain's
//! compiler and run in the sandbox. Exit status 0: it was done; 7: it was refused.

use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};
use std::fs;
use std::io::{Error, Read, Result, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::process::Command;

unsafe extern "C" {
    fn fork() -> c_int;
    fn setsid() -> c_int;
    fn setpgid(pid: c_int, group: c_int) -> c_int;
    fn getppid() -> c_int;
    fn getpid() -> c_int;
    fn getpgrp() -> c_int;
    fn kill(pid: c_int, signal: c_int) -> c_int;
    fn signal(number: c_int, handler: usize) -> usize;
    fn ptrace(request: c_long, pid: c_int, address: *mut c_void, data: *mut c_void) -> c_long;
    fn syscall(number: c_long, ...) -> c_long;
    fn mkfifo(path: *const c_char, mode: u32) -> c_int;
    fn setuid(user: u32) -> c_int;
    fn pause() -> c_int;
    fn raise(signal: c_int) -> c_int;
    fn unshare(flags: c_int) -> c_int;
    fn mount(
        from: *const c_char,
        to: *const c_char,
        kind: *const c_char,
        flags: c_ulong,
        data: *const c_void,
    ) -> c_int;
    fn prlimit(pid: c_int, resource: c_int, new: *const u64, old: *mut u64) -> c_int;
    fn setpriority(which: c_int, who: u32, value: c_int) -> c_int;
    fn sched_setaffinity(pid: c_int, size: usize, mask: *const u64) -> c_int;
    fn ioctl(fd: c_int, request: c_ulong, ...) -> c_int;
    fn clock() -> c_long;
    fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
    fn prctl(option: c_int, ...) -> c_int;
    fn memfd_create(name: *const c_char, flags: u32) -> c_int;
    fn shmget(key: c_int, size: usize, flags: c_int) -> c_int;
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let of = |at: usize| args.get(at).cloned().unwrap_or_default();
    match attack(&of(0), &of(1), &of(2)) {
        Ok(()) => println!("done"),
        Err(error) => {
            println!("refused: {error}");
            std::process::exit(7);
        }
    }
}

fn attack(name: &str, target: &str, other: &str) -> Result<()> {
    // SAFETY: the whole program is about calling these functions, with arguments of the right types.
    unsafe {
        match name {
            "delete" => fs::remove_file(target),
            "create" => fs::write(format!("{target}/new"), "x"),
            "make directory" => fs::create_dir(format!("{target}/new")),
            "overwrite" => fs::write(target, "x"),
            "append" => fs::OpenOptions::new().append(true).open(target).map(drop),
            "truncate" => {
                let path = std::ffi::CString::new(target).unwrap();
                done(syscall(TRUNCATE, path.as_ptr(), 0_u64))
            }
            "cut by reading" => {
                let path = std::ffi::CString::new(target).unwrap();
                let flags: c_int = 0o1000;
                done(syscall(OPENAT, -100, path.as_ptr(), flags, 0))
            }
            "read" => fs::read(target).map(drop),
            "list" => fs::read_dir(target).map(drop),
            "change mode" => fs::set_permissions(target, fs::Permissions::from_mode(0o777)),
            "change times" => {
                let path = std::ffi::CString::new(target).unwrap();
                let times = [0_i64; 4];
                done(syscall(UTIMENSAT, -100, path.as_ptr(), times.as_ptr(), 0))
            }
            "change owner" => std::os::unix::fs::chown(target, Some(1), None),
            "symlink to read" => {
                symlink(target, "link-to-read")?;
                fs::read("link-to-read").map(drop)
            }
            "symlink to write" => {
                symlink(target, "link-to-write")?;
                fs::write("link-to-write", "x")
            }
            "hard link" => fs::hard_link(target, "hard-link"),
            "rename out" => {
                fs::write("mine", "x")?;
                fs::rename("mine", format!("{target}/mine"))
            }
            "rename in" => fs::rename(target, "theirs"),
            "make pipe outside" => {
                let path = std::ffi::CString::new(format!("{target}/pipe")).unwrap();
                done(mkfifo(path.as_ptr(), 0o600).into())
            }
            "tcp" => TcpStream::connect(target).map(drop),
            "udp" => UdpSocket::bind("127.0.0.1:0")?
                .send_to(b"x", target)
                .map(drop),
            "unix stream" => UnixStream::connect(target).map(drop),
            "unix datagram" => UnixDatagram::unbound()?.send_to(b"x", target).map(drop),
            "pair to elsewhere" => UnixDatagram::pair()?.0.send_to(b"x", target).map(drop),
            "abstract" => {
                use std::os::linux::net::SocketAddrExt;
                let address = std::os::unix::net::SocketAddr::from_abstract_name(target)?;
                UnixStream::connect_addr(&address).map(drop)
            }
            "vsock" => done(syscall(SOCKET, 40, 1, 0)),
            "raw socket" => done(syscall(SOCKET, 2, 3, 1)),
            "setsid" => done(setsid().into()),
            "setsid in child" => in_child(|| done(setsid().into())),
            "setpgid" => in_child(|| done(setpgid(0, 0).into())),
            "leave" => {
                // Whoever stays holds no output and is in nobody's way.
                if fork() == 0 {
                    setsid();
                    setpgid(0, 0);
                    if fork() == 0 {
                        setsid();
                        fs::write("survivor", getpid().to_string())?;
                        loop {
                            pause();
                        }
                    }
                    std::process::exit(0);
                }
                while fs::read_to_string("survivor").is_ok_and(|text| !text.is_empty()) == false {
                    std::thread::yield_now();
                }
                Ok(())
            }
            "fork bomb" => loop {
                setsid();
                if fork() < 0 {
                    std::thread::yield_now();
                }
            },
            "processes" => {
                while fork() >= 0 {
                    if fork() == 0 {
                        setsid();
                        loop {
                            pause();
                        }
                    }
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
                loop {
                    pause();
                }
            }
            "threads" => loop {
                let sleeper = || loop {
                    std::thread::park();
                };
                let builder = std::thread::Builder::new().stack_size(16 << 10);
                if builder.spawn(sleeper).is_err() {
                    std::thread::yield_now();
                }
            },
            "memory" => {
                let mut blocks = vec![];
                loop {
                    blocks.push(vec![1_u8; 1 << 20]);
                }
            }
            "memory of many" => loop {
                if fork() == 0 {
                    let block = vec![1_u8; 32 << 20];
                    loop {
                        std::hint::black_box(&block);
                        pause();
                    }
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            },
            "disk" => {
                for number in 0_u64.. {
                    fs::write(format!("fill-{number}"), vec![1_u8; 1 << 20])?;
                }
                Ok(())
            }
            "open files" => {
                let mut files = vec![];
                loop {
                    files.push(fs::File::open("/dev/null")?);
                }
            }
            "print" => loop {
                std::io::stdout().write_all(&[b'x'; 4096])?;
            },
            "ignore" => {
                for number in [1, 2, 3, 13, 15] {
                    signal(number, 1);
                }
                loop {
                    pause();
                }
            }
            "kill parent" => done(kill(parent()?, 0).into()),
            "kill group of parent" => done(kill(-other.parse::<c_int>().unwrap(), 0).into()),
            "kill all" => done(kill(-1, 15).into()),
            "kill first" => done(kill(1, 0).into()),
            "signal by descriptor" => {
                let descriptor = syscall(PIDFD_OPEN, parent()?, 0);
                done(syscall(PIDFD_SEND_SIGNAL, descriptor, 0, 0_usize, 0))
            }
            "environment of parent" => fs::read(format!("/proc/{}/environ", parent()?)).map(drop),
            "memory of parent" => fs::File::open(format!("/proc/{}/mem", parent()?)).map(drop),
            "descriptors of parent" => fs::read_link(format!("/proc/{}/fd/0", parent()?)).map(drop),
            "root of parent" => fs::read(format!("/proc/{}/root{target}", parent()?)).map(drop),
            "ptrace" => {
                let nothing = std::ptr::null_mut();
                done(ptrace(16, parent()?, nothing, nothing))
            }
            "read memory" => {
                let mut byte = [0_u8; 1];
                let ours = [byte.as_mut_ptr() as usize, 1];
                let theirs = [&raw const ENVIRON as usize, 1];
                let (ours, theirs) = (ours.as_ptr(), theirs.as_ptr());
                done(syscall(
                    PROCESS_VM_READV,
                    parent()?,
                    ours,
                    1_u64,
                    theirs,
                    1_u64,
                    0_u64,
                ))
            }
            "limit parent" => {
                let mut old = [0_u64; 2];
                done(prlimit(parent()?, 0, std::ptr::null(), old.as_mut_ptr()).into())
            }
            "slow parent" => {
                let parent = u32::try_from(parent()?).unwrap();
                done(setpriority(0, parent, 19).into())
            }
            "bind parent" => done(sched_setaffinity(parent()?, 8, &u64::MAX).into()),
            "setuid program" => {
                let output = Command::new(target).arg("-u").output()?;
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                print!("{text}");
                // The program tells who it is: it must be who has started it.
                match text.trim() == other {
                    true => Err(Error::other("it is who started it")),
                    false => Ok(()),
                }
            }
            "setuid" => done(setuid(1).into()),
            "io_uring" => {
                let mut parameters = [0_u32; 30];
                done(syscall(IO_URING_SETUP, 1, parameters.as_mut_ptr()))
            }
            "namespace" => done(unshare(0x1000_0000).into()),
            "clone3" => {
                let mut args = [0_u64; 11];
                args[0] = 0x1000_0000;
                args[4] = 17;
                let child = syscall(CLONE3, args.as_mut_ptr(), 88_usize);
                if child == 0 {
                    std::process::exit(0);
                }
                done(child)
            }
            "mount" => {
                let (from, kind) = (c"none".as_ptr(), c"tmpfs".as_ptr());
                let here = c"/".as_ptr();
                done(mount(from, here, kind, 0, std::ptr::null()).into())
            }
            "descriptors" => {
                let is_open = |number: &c_int| fcntl(*number, GET_FLAGS) >= 0;
                match (3..1024).find(is_open) {
                    Some(_) => Ok(()),
                    None => Err(Error::other("nothing is open but the streams")),
                }
            }
            "other processes" => {
                let numbers = fs::read_dir("/proc")?.flatten();
                let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
                let others = numbers.filter(|number: &c_int| *number != getpid());
                let read = |number: c_int| fs::read(format!("/proc/{number}/cmdline")).ok();
                match others.filter_map(read).any(|line| !line.is_empty()) {
                    true => Ok(()),
                    false => Err(Error::other("there are no others")),
                }
            }
            "own children" => {
                let mut child = Command::new(std::env::current_exe()?)
                    .arg("sleep")
                    .spawn()?;
                let path = format!("/proc/{}/cmdline", child.id());
                // Its program may not have begun yet.
                let mut line = fs::read(&path)?;
                while line.is_empty() {
                    std::thread::yield_now();
                    line = fs::read(&path)?;
                }
                child.kill()?;
                child.wait()?;
                match line.ends_with(b"sleep\0") {
                    true => Ok(()),
                    false => Err(Error::other("it has another command line")),
                }
            }
            "sibling" => {
                let flags: c_ulong = 0x8000 | 17;
                let sibling = syscall(CLONE, flags, 0_usize, 0_usize, 0_usize, 0_usize);
                if sibling == 0 {
                    loop {
                        pause();
                    }
                }
                done(sibling)
            }
            "hide" => done(prctl(4, 0 as c_ulong).into()),
            "memory files" => {
                // Each is small, none is in an address space. It ends, should nobody end it.
                let mut files = vec![];
                for _ in 0..64 {
                    let file = memfd_create(c"hoard".as_ptr(), 0);
                    done(file.into())?;
                    let mut file = <fs::File as std::os::fd::FromRawFd>::from_raw_fd(file);
                    file.write_all(&vec![1; 16 << 20])?;
                    files.push(file);
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                std::thread::sleep(std::time::Duration::from_secs(30));
                Ok(())
            }
            "shared memory files" => {
                // The same file in many processes is there once, whether the rest is there yet or not.
                let file = memfd_create(c"shared".as_ptr(), 0);
                let mut file = <fs::File as std::os::fd::FromRawFd>::from_raw_fd(file);
                file.write_all(&vec![1; 100 << 20])?;
                let block = vec![1_u8; 20 << 20];
                for _ in 0..16 {
                    if fork() == 0 {
                        std::hint::black_box((&file, &block));
                        pause();
                    }
                }
                std::thread::sleep(std::time::Duration::from_millis(300));
                Ok(())
            }
            "memory of several" => {
                for _ in 0..16 {
                    if fork() == 0 {
                        let block = vec![1_u8; 64 << 20];
                        loop {
                            std::hint::black_box(&block);
                            pause();
                        }
                    }
                }
                std::thread::sleep(std::time::Duration::from_secs(30));
                Ok(())
            }
            "loop" => loop {
                std::hint::spin_loop();
            },
            "loop in child" => {
                if fork() == 0 {
                    // In microseconds of CPU time.
                    while clock() < 300_000 {
                        std::hint::spin_loop();
                    }
                    std::process::exit(0);
                }
                let mut status = 0;
                done(wait(&mut status).into())
            }
            "status" => std::process::exit(other.parse().unwrap()),
            "raise" => {
                signal(other.parse().unwrap(), 0);
                done(raise(other.parse().unwrap()).into())
            }
            "keys" => done(syscall(KEYCTL, 0, -3, 1)),
            "terminal" => {
                let letter: c_char = 10;
                done(ioctl(0, 0x5412, &letter).into())
            }
            "shared memory" => done(shmget(other.parse().unwrap(), 1, 0).into()),
            "other architecture" => done(syscall(X32 + 39)),

            "write here" => {
                fs::create_dir("sub")?;
                fs::write("sub/file", "x")?;
                fs::rename("sub/file", "file")?;
                fs::hard_link("file", "again")?;
                fs::set_permissions("file", fs::Permissions::from_mode(0o600)).or_else(bare)?;
                fs::File::options().write(true).open("file")?.set_len(0)?;
                symlink("file", "link")?;
                fs::remove_dir("sub")?;
                fs::write("/dev/null", "x")?;
                fs::write(format!("{target}/absolute"), "x")
            }
            "own network" => {
                for here in ["127.0.0.1:0", "[::1]:0"] {
                    let listener = TcpListener::bind(here)?;
                    let mut client = TcpStream::connect(listener.local_addr()?)?;
                    listener.accept()?.0.write_all(b"x")?;
                    client.read_exact(&mut [0])?;
                }
                Ok(())
            }
            "no listener" => TcpListener::bind("127.0.0.1:0").map(drop),
            "no unix listener" => UnixListener::bind("socket").map(drop),
            "pair" => {
                let (mut here, mut there) = UnixStream::pair()?;
                here.write_all(b"x")?;
                there.read_exact(&mut [0])
            }
            "child" => {
                let mut child = Command::new(std::env::current_exe()?)
                    .arg("sleep")
                    .spawn()?;
                child.kill()?;
                child.wait()?;
                let status = Command::new(std::env::current_exe()?)
                    .arg("nothing")
                    .status()?;
                let ended = Command::new(std::env::current_exe()?)
                    .arg("abort")
                    .status()?;
                use std::os::unix::process::ExitStatusExt;
                assert!(
                    status.success() && ended.signal() == Some(6),
                    "{status} {ended}"
                );
                Ok(())
            }
            "sleep" => loop {
                pause();
            },
            "nothing" => Ok(()),
            "hosts" => fs::read("/etc/hosts").map(drop),
            "devices" => {
                fs::File::open("/dev/urandom")?.read_exact(&mut [0])?;
                fs::File::open("/dev/zero")?.read_exact(&mut [0])?;
                fs::read("/proc/self/environ")?;
                fs::read("/proc/self/maps").map(drop)
            }
            "join threads" => {
                let sums = (0..8).map(|number| std::thread::spawn(move || number * 2));
                let sums: Vec<_> = sums.collect();
                let sum: i32 = sums.into_iter().map(|sum| sum.join().unwrap()).sum();
                assert_eq!(sum, 56);
                std::thread::available_parallelism().map(drop)
            }
            "signal itself" => {
                signal(10, 1);
                done(raise(10).into())?;
                done(kill(getpid(), 10).into())?;
                done(kill(0, 10).into())?;
                done(kill(-getpgrp(), 10).into())
            }
            "who" => {
                print!("{}", user());
                Ok(())
            }
            "abort" => std::process::abort(),
            _ => panic!("there is no attack of that name"),
        }
    }
}

/// Ignores that a change of modes was refused where there are no namespaces: there no program may
/// change them.
fn bare(error: Error) -> Result<()> {
    match std::env::var_os("BARE") {
        Some(_) => Ok(()),
        None => Err(error),
    }
}

/// Returns the parent's number; a process outside of the namespace has none in it.
fn parent() -> Result<c_int> {
    // SAFETY: it only asks.
    match unsafe { getppid() } {
        0 => Err(Error::other("the parent cannot be named")),
        parent => Ok(parent),
    }
}

fn done(result: c_long) -> Result<()> {
    if result < 0 {
        Err(Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Acts in a child, which is no leader of its group.
unsafe fn in_child(act: impl FnOnce() -> Result<()>) -> Result<()> {
    // SAFETY: there is one thread.
    if unsafe { fork() } == 0 {
        let error = act().err();
        std::process::exit(error.map_or(0, |error| error.raw_os_error().unwrap_or(1)));
    }
    let mut status = 0;
    // SAFETY: a live local.
    unsafe { wait(&mut status) };
    match status >> 8 {
        0 => Ok(()),
        error => Err(Error::from_raw_os_error(error)),
    }
}

unsafe extern "C" {
    fn wait(status: *mut c_int) -> c_int;
    fn geteuid() -> u32;
    #[link_name = "environ"]
    static ENVIRON: *const c_void;
}

fn user() -> u32 {
    // SAFETY: it only asks.
    unsafe { geteuid() }
}

const GET_FLAGS: c_int = 1;
const PIDFD_SEND_SIGNAL: c_long = 424;
const IO_URING_SETUP: c_long = 425;
const PIDFD_OPEN: c_long = 434;
const CLONE3: c_long = 435;
const X32: c_long = 0x4000_0000;

#[cfg(target_arch = "x86_64")]
mod numbers {
    use std::ffi::c_long;
    pub const CLONE: c_long = 56;
    pub const TRUNCATE: c_long = 76;
    pub const OPENAT: c_long = 257;
    pub const UTIMENSAT: c_long = 280;
    pub const SOCKET: c_long = 41;
    pub const PROCESS_VM_READV: c_long = 310;
    pub const KEYCTL: c_long = 250;
}
#[cfg(not(target_arch = "x86_64"))]
mod numbers {
    use std::ffi::c_long;
    pub const CLONE: c_long = 220;
    pub const TRUNCATE: c_long = 45;
    pub const OPENAT: c_long = 56;
    pub const UTIMENSAT: c_long = 88;
    pub const SOCKET: c_long = 198;
    pub const PROCESS_VM_READV: c_long = 270;
    pub const KEYCTL: c_long = 219;
}
use numbers::*;
