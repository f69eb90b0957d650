//! `copytrace serve` in a browser, and while its servers and workers are killed as Unix kills.

mod batch;
mod client;
mod desk;
mod durability;
mod face;
mod harvests;
mod invited;
mod letters;
mod others;
mod platform;
mod providers;
