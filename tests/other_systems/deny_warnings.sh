#!/bin/sh
# Runs the compiler that cargo names with warnings as errors. As `RUSTC_WORKSPACE_WRAPPER` it is asked for our own crates alone,
# so that no dependency is compiled anew, and none fails by a warning.
exec "$@" -Dwarnings
