"""Independent reference readings, and the inputs that programs are compared on."""
