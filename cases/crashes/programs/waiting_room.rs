//! A practice's waiting room: a priority queue and a table of our own, both generic.

use std::borrow::Borrow;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::mem;

/// Says which of two elements comes first.
pub trait Priority<T: ?Sized> {
    fn is_before(a: &T, b: &T) -> bool;
}

pub struct Smallest;
pub struct Largest;

impl<T: Ord + ?Sized> Priority<T> for Smallest {
    fn is_before(a: &T, b: &T) -> bool {
        a < b
    }
}

impl<T: Ord + ?Sized> Priority<T> for Largest {
    fn is_before(a: &T, b: &T) -> bool {
        a > b
    }
}

pub struct Heap<T, P = Smallest> {
    elements: Vec<T>,
    priority: PhantomData<P>,
}

impl<T, P> Default for Heap<T, P> {
    fn default() -> Self {
        Self { elements: Vec::new(), priority: PhantomData }
    }
}

impl<T, P> Heap<T, P> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.elements.len()
    }

    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    pub fn peek(&self) -> Option<&T> {
        self.elements.first()
    }
}

impl<T, P: Priority<T>> Heap<T, P> {
    pub fn push(&mut self, element: T) {
        self.elements.push(element);
        let mut child = self.elements.len() - 1;
        while child > 0 {
            let parent = (child - 1) / 2;
            if !P::is_before(&self.elements[child], &self.elements[parent]) {
                break;
            }
            self.elements.swap(child, parent);
            child = parent;
        }
    }

    pub fn pop(&mut self) -> Option<T> {
        if self.elements.is_empty() {
            return None;
        }
        let first = self.elements.swap_remove(0);
        self.sift_down(0);
        Some(first)
    }

    fn sift_down(&mut self, mut parent: usize) {
        loop {
            let children = 2 * parent + 1..(2 * parent + 3).min(self.elements.len());
            let Some(best) = children.reduce(|a, b| {
                if P::is_before(&self.elements[b], &self.elements[a]) { b } else { a }
            }) else {
                return;
            };
            if !P::is_before(&self.elements[best], &self.elements[parent]) {
                return;
            }
            self.elements.swap(best, parent);
            parent = best;
        }
    }

    pub fn into_sorted(mut self) -> Vec<T> {
        let mut sorted = Vec::with_capacity(self.len());
        while let Some(element) = self.pop() {
            sorted.push(element);
        }
        sorted
    }
}

impl<T, P: Priority<T>> Extend<T> for Heap<T, P> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.push(element);
        }
    }
}

impl<T, P: Priority<T>> FromIterator<T> for Heap<T, P> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut heap = Self::new();
        heap.extend(elements);
        heap
    }
}

/// A hash table with chains.
pub struct Table<K, V> {
    buckets: Vec<Vec<(K, V)>>,
    len: usize,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table { buckets: Vec::new(), len: 0 }
    }
}

impl<K: Hash + Eq, V> Table<K, V> {
    fn bucket<Q: Hash + ?Sized>(&self, key: &Q) -> Option<usize> {
        if self.buckets.is_empty() {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        Some(hasher.finish() as usize % self.buckets.len())
    }

    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let bucket = &self.buckets[self.bucket(key)?];
        let (_, value) = bucket.iter().find(|(k, _)| k.borrow() == key)?;
        Some(value)
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if self.len >= self.buckets.len() {
            self.grow();
        }
        let at = self.bucket(&key)?;
        for (k, v) in &mut self.buckets[at] {
            if *k == key {
                return Some(mem::replace(v, value));
            }
        }
        self.buckets[at].push((key, value));
        self.len += 1;
        None
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(8);
        let old = mem::take(&mut self.buckets);
        self.buckets.resize_with(size, Vec::new);
        for (key, value) in old.into_iter().flatten() {
            if let Some(at) = self.bucket(&key) {
                self.buckets[at].push((key, value));
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.buckets.iter().flatten().map(|(k, v)| (k, v))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Urgency {
    Routine,
    Soon,
    Emergency,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Patient {
    pub name: String,
    pub urgency: Urgency,
    pub temperature: f32,
}

impl Patient {
    pub fn new(name: &str, urgency: Urgency, temperature: f32) -> Self {
        Patient { name: name.to_owned(), urgency, temperature }
    }

    fn has_fever(&self) -> bool {
        self.temperature >= 38.5
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket {
    urgency: Urgency,
    number: u32,
}

#[derive(Default)]
pub struct WaitingRoom {
    tickets: Heap<Ticket, Largest>,
    patients: Table<u32, Patient>,
    next: u32,
}

impl WaitingRoom {
    pub fn arrive(&mut self, patient: Patient) -> u32 {
        self.next += 1;
        let number = self.next;
        let mut urgency = patient.urgency;
        if patient.has_fever() {
            urgency = urgency.max(Urgency::Soon);
        }
        self.tickets.push(Ticket { urgency, number });
        self.patients.insert(number, patient);
        number
    }

    pub fn call(&mut self) -> Option<&Patient> {
        let ticket = self.tickets.pop()?;
        self.patients.get(&ticket.number)
    }

    /// The patients with the highest temperature.
    pub fn hottest(&self, count: usize) -> Vec<&Patient> {
        let mut heap: Heap<&Patient, Largest> = Heap::new();
        for (_, patient) in self.patients.iter() {
            if patient.has_fever() {
                heap.push(patient);
            }
        }
        heap.elements.into_iter().take(count).collect()
    }

    pub fn by_name(&self) -> Vec<&str> {
        let names = self.patients.iter().map(|(_, patient)| patient.name.as_str());
        names.collect::<Heap<_, Smallest>>().into_sorted()
    }
}

pub fn print_all<T: Debug, P: Priority<T>>(heap: Heap<T, P>) {
    for element in heap.into_sorted() {
        println!("{element:?}");
    }
}

pub fn morning() -> WaitingRoom {
    let mut room = WaitingRoom::default();
    room.arrive(Patient::new("Jansen", Urgency::Routine, 36.6));
    room.arrive(Patient::new("Abe", Urgency::Emergency, 39.2));
    room.arrive(Patient::new("Okafor", Urgency::Soon, 38.7));
    room
}
