"""Everything that runs the flows: catalog, driver, lanes, command line, HTTP, diagrams."""
