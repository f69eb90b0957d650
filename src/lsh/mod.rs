//! From signatures to candidates: locality-sensitive hashing by bands (Indyk and Motwani 1998; Leskovec,
//! Rajaraman and Ullman, *Mining of Massive Datasets*, chapter 3).

pub mod banding;
pub mod buckets;
