"""HTTP face: routes, auth, limits."""
