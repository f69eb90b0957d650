//! `copytrace serve` in a browser, and while its servers and workers are killed as Unix kills.

mod durability;
mod face;
