-- compatible: the version before keeps these rows itself; they only come sooner.
-- Who vouched for the subjects that were signed before the table identity_sources
-- was there: without a row, the first who signs one next would have it
-- (docs/adr/0028-identity-sources.md). The newest session of the contact names the
-- key. Without one it is the key that was used last, and so for the subject of a
-- contact that was merged: the sessions of the one that stayed are of several
-- subjects, and do not say which. Costs one read of all contacts, and a write of
-- each that was signed before.

INSERT INTO identity_sources (workspace_id, subject, source, previous)
  SELECT s.workspace_id, s.subject, CASE WHEN k.kind = 'secret' THEN 'own' WHEN k.issuer <> '' THEN 'iss ' || k.issuer ELSE 'kid ' || k.kid END, ''
  FROM (
    SELECT c.workspace_id, c.identifier AS subject, c.contact_id AS session_of
    FROM contacts c WHERE c.signed_at > 0 AND c.identifier <> ''
    UNION
    SELECT m.workspace_id, m.identifier, NULL
    FROM merged_contacts m WHERE m.identifier <> '' AND NOT EXISTS (SELECT 1 FROM contacts c
      WHERE c.workspace_id = m.workspace_id AND c.identifier = m.identifier AND c.signed_at > 0)
  ) s
  JOIN identity_keys k ON k.workspace_id = s.workspace_id AND k.kid = COALESCE(
    (SELECT o.kid FROM customer_sessions o JOIN identity_keys i ON i.workspace_id = o.workspace_id AND i.kid = o.kid
      WHERE o.workspace_id = s.workspace_id AND o.contact_id = s.session_of ORDER BY o.created_at DESC, o.session_id DESC LIMIT 1),
    (SELECT i.kid FROM identity_keys i WHERE i.workspace_id = s.workspace_id ORDER BY i.last_used_at DESC, i.created_at DESC, i.kid DESC LIMIT 1))
  WHERE true
  ON CONFLICT (workspace_id, subject) DO NOTHING;
