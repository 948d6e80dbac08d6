-- Counts and times for reports.
SELECT 1;
