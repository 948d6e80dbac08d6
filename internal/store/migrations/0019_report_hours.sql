-- compatible: the version before counts in days alone; what it counts has no hour.
--
-- What of a cell happened in which hour (UTC), as one text; see Hours. A cell of
-- before, and what the version before adds to one, has no hour. Adding the column
-- takes no longer with many rows.

ALTER TABLE report_cells ADD COLUMN hours text NOT NULL DEFAULT '';
