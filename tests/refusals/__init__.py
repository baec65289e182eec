"""What records refuse: by the kind of a value, at every field; and by rules between fields."""
