-- compatible: the version before keeps these rows itself; they only come sooner.
-- Who vouched for the subjects that were signed before the table identity_sources
-- was there: without a row, the first who signs one next would have it
-- (docs/adr/0028-identity-sources.md). The oldest session of the contact names the
-- key. Without one it is the oldest key that was used; of those that were there
-- when the contact was first signed, if any was. Costs one read of all contacts,
-- and a write of each that was signed before.

INSERT INTO identity_sources (workspace_id, subject, source, previous)
  SELECT s.workspace_id, s.subject, CASE WHEN k.kind = 'secret' THEN 'own' WHEN k.issuer <> '' THEN 'iss ' || k.issuer ELSE 'kid ' || k.kid END, ''
  FROM (
    SELECT c.workspace_id, c.identifier AS subject, c.contact_id, c.signed_at
    FROM contacts c WHERE c.signed_at > 0 AND c.identifier <> ''
    UNION
    SELECT m.workspace_id, m.identifier, c.contact_id, c.signed_at
    FROM merged_contacts m JOIN contacts c ON c.workspace_id = m.workspace_id AND c.contact_id = m.into_id
    WHERE m.identifier <> ''
  ) s
  JOIN identity_keys k ON k.workspace_id = s.workspace_id AND k.kid = COALESCE(
    (SELECT o.kid FROM customer_sessions o JOIN identity_keys i ON i.workspace_id = o.workspace_id AND i.kid = o.kid
      WHERE o.workspace_id = s.workspace_id AND o.contact_id = s.contact_id ORDER BY o.created_at, o.session_id LIMIT 1),
    (SELECT i.kid FROM identity_keys i WHERE i.workspace_id = s.workspace_id
      ORDER BY CASE WHEN i.last_used_at > 0 THEN 0 ELSE 1 END, CASE WHEN i.created_at <= s.signed_at THEN 0 ELSE 1 END, i.created_at, i.kid LIMIT 1))
  WHERE true
  ON CONFLICT (workspace_id, subject) DO NOTHING;
