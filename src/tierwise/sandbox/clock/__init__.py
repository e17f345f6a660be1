"""Virtual time: one clock for everything in this process that reads time or waits for it."""
