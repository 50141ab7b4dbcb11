"""What is checked before a memory is kept or handed out."""
