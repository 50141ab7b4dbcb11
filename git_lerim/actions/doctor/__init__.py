"""Check the installation, and repair or explain what is wrong."""
