//! Sentences as vectors, alike for sentences of one meaning in any language that the encoder knows.
//!
//! The network is that of the multilingual universal sentence encoder (Yang et al. 2020, the convolutional one): pieces of words as
//! vectors; for runs of two, three and five of them two layers of convolution; the sum over the sentence divided by the
//! root of its length; four layers behind. What depends on a piece alone is computed once for each that a batch of sentences has.

use crate::matrix::{Weights, sum};
use crate::pieces::Pieces;
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use std::collections::HashMap;

/// The lengths of runs of pieces, and how many of each stand before its own piece.
const RUNS: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];

/// Numbers in the vector of a sentence.
pub(crate) const WIDTH: usize = 512;

/// Pieces of sentences computed at once, or those of one sentence: sentences share most of theirs. They take 10 kB each meanwhile.
const BATCH: usize = 4096;

/// Pieces of a sentence that are read: what is behind them belongs to a table or to a text without stops.
const LONGEST: usize = 256;

/// Added to variances before their root is taken.
const EPSILON: f32 = 1e-12;

/// A network with its pieces.
pub(crate) struct Encoder {
    pieces: Pieces,
    /// The vector of each piece as bytes; the number of a byte is `byte × scale + least` of its part.
    embeddings: Vec<u8>,
    scales: Vec<f32>,
    leasts: Vec<f32>,
    project: Weights,
    project_bias: Vec<f32>,
    project_norm: Norm,
    runs: Vec<Run>,
    norm: Norm,
    pool: Weights,
    pool_bias: Vec<f32>,
    dense: [Weights; 4],
    skip: [Weights; 2],
}

/// The two layers of convolution over runs of one length.
struct Run {
    /// For each place in a run, what it adds to the first layer.
    first: Vec<Weights>,
    first_bias: Vec<f32>,
    second: Weights,
    second_bias: Vec<f32>,
}

/// Scales rows to mean 0 and variance 1, then by its own numbers.
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

/// The tensors of a file.
pub(crate) struct Tensors<'a>(SafeTensors<'a>);

impl Encoder {
    /// An encoder from its pieces and its tensors.
    ///
    /// # Errors
    /// What is missing or of another shape.
    pub(crate) fn read(pieces: &str, tensors: &Tensors) -> Result<Self, String> {
        let pieces = Pieces::read(pieces)?;
        let (scales, leasts) = (tensors.numbers("embedding.scale", &[0])?, tensors.numbers("embedding.least", &[0])?);
        let embeddings = tensors.get("embedding", Dtype::U8, &[0, WIDTH])?.data().to_vec();
        if scales.is_empty() || scales.len() != leasts.len() || embeddings.len() < pieces.len() * WIDTH {
            return Err("embedding is of another size than its scales or the pieces".to_owned());
        }
        let project = tensors.weights("project", WIDTH, 0)?;
        let wide = project.columns();
        let width = wide / RUNS.len();
        let runs = RUNS.iter().map(|&(length, _)| {
            let first = tensors.numbers(&format!("run{length}.first"), &[length * width, width])?;
            Ok(Run {
                first: first.chunks_exact(width * width).map(|part| Weights::new(part, width, width)).collect(),
                first_bias: tensors.numbers(&format!("run{length}.first.bias"), &[width])?,
                second: tensors.weights(&format!("run{length}.second"), length * width, width)?,
                second_bias: tensors.numbers(&format!("run{length}.second.bias"), &[width])?,
            })
        });
        let hidden = tensors.weights("dense0", WIDTH, 0)?.columns();
        Ok(Encoder {
            embeddings,
            scales,
            leasts,
            project_bias: tensors.numbers("project.bias", &[wide])?,
            project_norm: tensors.norm("project.norm", wide)?,
            project,
            runs: runs.collect::<Result<_, String>>()?,
            norm: tensors.norm("norm", WIDTH + wide)?,
            pool: tensors.weights("pool", WIDTH + wide, WIDTH)?,
            pool_bias: tensors.numbers("pool.bias", &[WIDTH])?,
            dense: [
                tensors.weights("dense0", WIDTH, hidden)?,
                tensors.weights("dense1", hidden, hidden)?,
                tensors.weights("dense2", hidden, WIDTH)?,
                tensors.weights("dense3", WIDTH, WIDTH)?,
            ],
            skip: [tensors.weights("skip1", WIDTH, hidden)?, tensors.weights("skip3", hidden, WIDTH)?],
            pieces,
        })
    }

    /// The vectors of sentences, each of length 1, whatever is computed beside it. `goes_on` is asked before each batch.
    pub(crate) fn encode<E>(
        &self,
        sentences: &[&str],
        mut goes_on: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<[f32; WIDTH]>, E> {
        let mut vectors = Vec::with_capacity(sentences.len());
        let (mut batch, mut pieces) = (Vec::new(), 0);
        for sentence in sentences {
            let mut cut = self.pieces.cut(sentence);
            cut.truncate(LONGEST);
            if pieces + cut.len() > BATCH {
                goes_on()?;
                vectors.extend(self.batch(&std::mem::take(&mut batch)));
                pieces = 0;
            }
            pieces += cut.len();
            batch.push(cut);
        }
        goes_on()?;
        vectors.extend(self.batch(&batch));
        Ok(vectors)
    }

    fn batch(&self, sentences: &[Vec<u32>]) -> Vec<[f32; WIDTH]> {
        let (mut numbers, mut distinct) = (HashMap::new(), Vec::new());
        let mut pieces: Vec<Vec<usize>> = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            let number_of = |piece: &u32| {
                *numbers.entry(*piece).or_insert_with(|| {
                    distinct.push(*piece);
                    distinct.len() - 1
                })
            };
            pieces.push(sentence.iter().map(number_of).collect());
        }
        let embedded: Vec<f32> = distinct.iter().flat_map(|&piece| self.embedding(piece)).collect();
        let mut projected = self.project.times(&embedded);
        add_to_rows(&mut projected, &self.project_bias);
        self.project_norm.apply(&mut projected);

        let count: usize = pieces.iter().map(Vec::len).sum();
        let wide = WIDTH + self.project.columns();
        let mut features = vec![0.0; count * wide];
        for (row, &piece) in features.chunks_exact_mut(wide).zip(pieces.iter().flatten()) {
            row[..WIDTH].copy_from_slice(&embedded[piece * WIDTH..][..WIDTH]);
        }
        for (number, run) in self.runs.iter().enumerate() {
            let width = run.second.columns();
            let own: Vec<f32> = projected
                .chunks_exact(self.project.columns())
                .flat_map(|row| &row[number * width..(number + 1) * width])
                .copied()
                .collect();
            let found = run.apply(&own, &pieces, RUNS[number].1);
            for (row, found) in features.chunks_exact_mut(wide).zip(found.chunks_exact(width)) {
                row[WIDTH + number * width..][..width].copy_from_slice(found);
            }
        }
        self.norm.apply(&mut features);

        let mut sums = vec![0.0; sentences.len() * wide];
        let mut rows = features.chunks_exact(wide);
        for (sum, sentence) in sums.chunks_exact_mut(wide).zip(&pieces) {
            for row in rows.by_ref().take(sentence.len()) {
                add(sum, row);
            }
        }
        let mut pooled = self.pool.times(&sums);
        for (row, sentence) in pooled.chunks_exact_mut(WIDTH).zip(&pieces) {
            let length = sentence.len() as f32;
            for (number, bias) in row.iter_mut().zip(&self.pool_bias) {
                *number = (*number + length * bias) / length.sqrt();
            }
        }
        let [first, second, third, last] = &self.dense;
        let begun = above_zero(first.times(&pooled));
        let mut middle = self.skip[0].times(&pooled);
        add(&mut middle, &second.times(&begun));
        let middle = above_zero(middle);
        let mut ends = self.skip[1].times(&middle);
        add(&mut ends, &last.times(&above_zero(third.times(&middle))));
        ends.as_chunks::<WIDTH>().0.iter().map(|row| unit(row.map(libm::tanhf))).collect()
    }

    /// The vector of a piece.
    fn embedding(&self, piece: u32) -> impl Iterator<Item = f32> {
        let part = piece as usize % self.scales.len();
        let (scale, least) = (self.scales[part], self.leasts[part]);
        let bytes = &self.embeddings[piece as usize * WIDTH..][..WIDTH];
        bytes.iter().map(move |&byte| f32::from(byte) * scale + least)
    }
}

impl Run {
    /// Both layers, for every piece of every sentence; outside of a sentence there are zeros. `own` are the rows of the distinct pieces.
    fn apply(&self, own: &[f32], sentences: &[Vec<usize>], before: usize) -> Vec<f32> {
        let width = self.second.columns();
        let parts: Vec<Vec<f32>> = self.first.iter().map(|weights| weights.times(own)).collect();
        let mut first = Vec::new();
        for sentence in sentences {
            for at in 0..sentence.len() {
                let begin = first.len();
                first.extend_from_slice(&self.first_bias);
                let sums = &mut first[begin..];
                for (place, part) in parts.iter().enumerate() {
                    if let Some(&piece) = (at + place).checked_sub(before).and_then(|place| sentence.get(place)) {
                        add(sums, &part[piece * width..][..width]);
                    }
                }
                for (sum, own) in sums.iter_mut().zip(&own[sentence[at] * width..]) {
                    *sum = sum.max(0.0) + own;
                }
            }
        }
        let mut around = Vec::with_capacity(first.len() * self.first.len());
        let mut begin = 0;
        for sentence in sentences {
            for at in 0..sentence.len() {
                for place in 0..self.first.len() {
                    match (at + place).checked_sub(before).filter(|&place| place < sentence.len()) {
                        Some(place) => around.extend_from_slice(&first[(begin + place) * width..][..width]),
                        None => around.resize(around.len() + width, 0.0),
                    }
                }
            }
            begin += sentence.len();
        }
        let mut second = self.second.times(&around);
        add_to_rows(&mut second, &self.second_bias);
        let mut second = above_zero(second);
        add(&mut second, &first);
        second
    }
}

impl Norm {
    fn apply(&self, rows: &mut [f32]) {
        let width = self.scale.len();
        for row in rows.chunks_exact_mut(width) {
            let mean = sum(row.iter().copied()) / width as f32;
            row.iter_mut().for_each(|number| *number -= mean);
            let variance = sum(row.iter().map(|number| number * number)) / width as f32;
            let by = 1.0 / (variance + EPSILON).sqrt();
            for ((number, scale), shift) in row.iter_mut().zip(&self.scale).zip(&self.shift) {
                *number = *number * by * scale + shift;
            }
        }
    }
}

fn add(to: &mut [f32], numbers: &[f32]) {
    to.iter_mut().zip(numbers).for_each(|(to, number)| *to += number);
}

fn add_to_rows(rows: &mut [f32], numbers: &[f32]) {
    rows.chunks_exact_mut(numbers.len()).for_each(|row| add(row, numbers));
}

fn above_zero(mut numbers: Vec<f32>) -> Vec<f32> {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
    numbers
}

/// A vector at length 1; that of zeros as it is.
pub(crate) fn unit(vector: [f32; WIDTH]) -> [f32; WIDTH] {
    let length = sum(vector.iter().map(|number| number * number)).max(EPSILON).sqrt();
    vector.map(|number| number / length)
}

impl<'a> Tensors<'a> {
    pub(crate) fn new(tensors: SafeTensors<'a>) -> Self {
        Tensors(tensors)
    }

    /// A tensor of some type and shape; 0 stands for any number.
    fn get(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<TensorView<'_>, String> {
        let tensor = self.0.tensor(name).map_err(|_| format!("no tensor {name}"))?;
        let fits = tensor.shape().len() == shape.len()
            && tensor.shape().iter().zip(shape).all(|(is, wanted)| *wanted == 0 && *is > 0 || is == wanted);
        match tensor.dtype() == dtype && fits {
            true => Ok(tensor),
            false => Err(format!("the tensor {name} is {:?} of {:?}", tensor.dtype(), tensor.shape())),
        }
    }

    fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let tensor = self.get(name, Dtype::F32, shape)?;
        let numbers: Vec<f32> = tensor.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err(format!("the tensor {name} holds what is no number")),
        }
    }

    pub(crate) fn weights(&self, name: &str, inner: usize, columns: usize) -> Result<Weights, String> {
        let numbers = self.numbers(name, &[inner, columns])?;
        let columns = numbers.len() / inner;
        Ok(Weights::new(&numbers, inner, columns))
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, String> {
        let of = |part: &str| self.numbers(&format!("{name}.{part}"), &[width]);
        Ok(Norm { scale: of("scale")?, shift: of("shift")? })
    }
}
