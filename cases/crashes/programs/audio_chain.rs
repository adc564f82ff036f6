//! Audio processing: frames of a fixed number of channels, and stages that are typed by what goes in and out.

use core::array;
use core::fmt::Debug;
use core::marker::PhantomData;
use core::ops::{Add, Index, Mul};

/// A number that samples are made of.
pub trait Sample: Copy + Default + Debug + PartialOrd + Add<Output = Self> {
    /// What a sum of many samples fits into.
    type Wide: Copy + Default + Add<Output = Self::Wide> + From<Self>;

    const SILENCE: Self;

    fn scale(self, gain: f32) -> Self;
    fn narrow(wide: Self::Wide, count: usize) -> Self;
}

impl Sample for f32 {
    type Wide = f64;

    const SILENCE: f32 = 0.0;

    fn scale(self, gain: f32) -> f32 {
        self * gain
    }

    fn narrow(wide: f64, count: usize) -> f32 {
        (wide / count as f64) as f32
    }
}

impl Sample for i16 {
    type Wide = i64;

    const SILENCE: i16 = 0;

    fn scale(self, gain: f32) -> i16 {
        (f32::from(self) * gain) as i16
    }

    fn narrow(wide: i64, count: usize) -> i16 {
        (wide / count as i64) as i16
    }
}

/// One sample for each channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame<S, const CHANNELS: usize>([S; CHANNELS]);

pub type Mono<S> = Frame<S, 1>;
pub type Stereo<S> = Frame<S, 2>;

impl<S: Sample, const CHANNELS: usize> Default for Frame<S, CHANNELS> {
    fn default() -> Self {
        Frame([S::SILENCE; CHANNELS])
    }
}

impl<S: Sample, const CHANNELS: usize> Frame<S, CHANNELS> {
    pub const CHANNELS: usize = CHANNELS;

    pub fn map<T>(self, f: impl FnMut(S) -> T) -> Frame<T, CHANNELS> {
        Frame(self.0.map(f))
    }

    pub fn mean(&self) -> S {
        let mut sum = S::Wide::default();
        for sample in self.0 {
            sum = sum + S::Wide::from(sample);
        }
        S::narrow(sum, CHANNELS)
    }

    pub fn spread<const N: usize>(&self) -> Frame<S, N> {
        Frame(array::from_fn(|channel| self.0[channel % CHANNELS]))
    }
}

impl<S, const CHANNELS: usize> Index<usize> for Frame<S, CHANNELS> {
    type Output = S;

    fn index(&self, channel: usize) -> &S {
        &self.0[channel]
    }
}

impl<S: Sample, const CHANNELS: usize> Add for Frame<S, CHANNELS> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Frame(array::from_fn(|channel| self[channel] + other[channel]))
    }
}

impl<S: Sample, const CHANNELS: usize> Mul<f32> for Frame<S, CHANNELS> {
    type Output = Self;

    fn mul(self, gain: f32) -> Self {
        self.map(|sample| sample.scale(gain))
    }
}

/// A step of processing.
pub trait Stage {
    type Input;
    type Output;

    fn process(&mut self, input: Self::Input) -> Self::Output;

    fn latency(&self) -> usize {
        0
    }

    fn then<N>(self, next: N) -> Then<Self, N>
    where
        Self: Sized,
        N: Stage<Input = Self::Output>,
    {
        Then { first: self, next }
    }
}

#[derive(Debug, Clone)]
pub struct Then<A, B> {
    first: A,
    next: B,
}

impl<A: Stage, B: Stage<Input = A::Output>> Stage for Then<A, B> {
    type Input = A::Input;
    type Output = B::Output;

    fn process(&mut self, input: A::Input) -> B::Output {
        let between = self.first.process(input);
        self.next.process(between)
    }

    fn latency(&self) -> usize {
        self.first.latency() + self.next.latency()
    }
}

#[derive(Debug, Clone)]
pub struct Gain<F> {
    factor: f32,
    frame: PhantomData<F>,
}

impl<F> Gain<F> {
    pub fn decibels(decibels: f32) -> Self {
        Gain {
            factor: 10_f32.powf(decibels / 20.0),
            frame: PhantomData,
        }
    }
}

impl<F: Mul<f32, Output = F>> Stage for Gain<F> {
    type Input = F;
    type Output = F;

    fn process(&mut self, frame: F) -> F {
        frame * self.factor
    }
}

/// Holds frames back.
#[derive(Debug, Clone)]
pub struct Delay<F, const LENGTH: usize> {
    ring: [F; LENGTH],
    at: usize,
}

impl<F: Default, const LENGTH: usize> Delay<F, LENGTH> {
    const NOT_EMPTY: () = assert!(LENGTH > 0);

    pub fn new() -> Self {
        let () = Self::NOT_EMPTY;
        Delay {
            ring: array::from_fn(|_| F::default()),
            at: 0,
        }
    }
}

impl<F, const LENGTH: usize> Stage for Delay<F, LENGTH> {
    type Input = F;
    type Output = F;

    fn process(&mut self, frame: F) -> F {
        let at = self.at;
        self.at = (at + 1) % LENGTH;
        core::mem::replace(&mut self.ring[at], frame)
    }

    fn latency(&self) -> usize {
        LENGTH
    }
}

/// Makes one channel of several.
#[derive(Debug, Clone, Default)]
pub struct Downmix<S, const FROM: usize>(PhantomData<S>);

impl<S: Sample, const FROM: usize> Stage for Downmix<S, FROM> {
    type Input = Frame<S, FROM>;
    type Output = Mono<S>;

    fn process(&mut self, frame: Self::Input) -> Mono<S> {
        Frame([frame.mean()])
    }
}

/// Makes several channels of one.
#[derive(Debug, Clone, Default)]
pub struct Upmix<S, const TO: usize>(PhantomData<S>);

impl<S: Sample, const TO: usize> Stage for Upmix<S, TO> {
    type Input = Mono<S>;
    type Output = Frame<S, TO>;

    fn process(&mut self, frame: Mono<S>) -> Frame<S, TO> {
        frame.spread()
    }
}

/// The loudest sample so far.
#[derive(Debug, Clone)]
pub struct Meter<S, const CHANNELS: usize> {
    peak: Frame<S, CHANNELS>,
}

impl<S: Sample, const CHANNELS: usize> Meter<S, CHANNELS> {
    pub fn new() -> Self {
        Meter {
            peak: Frame::default(),
        }
    }

    pub fn peaks(&self) -> impl Iterator<Item = (usize, S)> + '_ {
        self.peak.0.iter().copied().enumerate()
    }
}

impl<S: Sample, const CHANNELS: usize> Stage for Meter<S, CHANNELS> {
    type Input = Frame<S, CHANNELS>;
    type Output = Frame<S, CHANNELS>;

    fn process(&mut self, frame: Self::Input) -> Self::Output {
        for (peak, sample) in self.peak.0.iter_mut().zip(frame.0) {
            if sample > *peak {
                *peak = sample;
            }
        }
        frame
    }
}

/// Runs a stage over all frames of an iterator.
pub struct Processed<I, P> {
    frames: I,
    stage: P,
}

impl<I, P> Iterator for Processed<I, P>
where
    I: Iterator,
    P: Stage<Input = I::Item>,
{
    type Item = P::Output;

    fn next(&mut self) -> Option<P::Output> {
        let frame = self.frames.next()?;
        Some(self.stage.process(frame))
    }
}

pub fn processed<I, P>(frames: I, stage: P) -> Processed<I::IntoIter, P>
where
    I: IntoIterator,
    P: Stage<Input = I::Item>,
{
    Processed {
        frames: frames.into_iter(),
        stage,
    }
}

pub fn echo<S: Sample, const N: usize>() -> impl Stage<Input = Frame<S, N>, Output = Frame<S, N>> {
    Delay::<Frame<S, N>, 4410>::new().then(Gain::decibels(-6.0))
}

/// Stages that follow each other, as many as one likes.
pub struct Rack<F> {
    stages: Vec<Box<dyn Stage<Input = F, Output = F>>>,
}

impl<F> Rack<F> {
    pub const fn new() -> Self {
        Rack { stages: Vec::new() }
    }

    pub fn push<P>(&mut self, stage: P) -> usize
    where
        P: Stage<Input = F, Output = F> + 'static,
    {
        self.stages.push(Box::new(stage));
        self.stages.len()
    }
}

impl<F> Stage for Rack<F> {
    type Input = F;
    type Output = F;

    fn process(&mut self, frame: F) -> F {
        let stages = self.stages.iter_mut();
        stages.fold(frame, |frame, stage| stage.process(frame))
    }

    fn latency(&self) -> usize {
        self.stages.iter().map(|stage| stage.latency()).sum()
    }
}

/// What a telephone makes of music.
pub fn telephone(music: &[Stereo<i16>]) -> Vec<Stereo<i16>> {
    let mut line = Rack::new();
    line.push(Gain::decibels(-3.0));
    line.push(Downmix::<i16, 2>::default());
    line.push(Delay::<Stereo<i16>, 80>::new());
    processed(music.iter().copied(), line).collect()
}

/// Plays speech on all speakers of a hall.
pub fn hall(speech: &[Mono<f32>], decibels: f32) -> Vec<Frame<f32, 6>> {
    let speakers = Gain::decibels(decibels)
        .then(Upmix::<f32, 6>::default())
        .then(echo());
    processed(speech.iter().copied(), speakers).collect()
}

pub fn is_clipped<const N: usize>(frames: &[Frame<i16, N>]) -> bool {
    let mut meter = Meter::<i16, N>::new();
    for frame in frames {
        meter.process(*frame);
    }
    let loudest = meter.peaks().map(|(_, peak)| peak).max();
    loudest == Some(i16::MAX)
}
