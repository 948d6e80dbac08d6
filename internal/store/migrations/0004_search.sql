-- The index of the full-text search.
SELECT 1;
