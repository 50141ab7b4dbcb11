"""Read and write memories as markdown with front matter."""
