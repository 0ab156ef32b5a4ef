"""Stand-ins and test kits for those who write adapters: an evidence server, switchable faults, a conformance kit."""
