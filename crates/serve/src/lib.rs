//! copytrace serve
