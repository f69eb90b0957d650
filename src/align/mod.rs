//! Where exactly two texts agree.
