-- compatible: the version before writes no views of teams. It shows one to the member who made
-- it alone, leaves those of a team that it deletes, which then only admins see, and an
-- admin deletes.

-- The team that has a saved view of the scope team.
ALTER TABLE views ADD COLUMN team_id uuid;
