-- Phone numbers are kept in E.164. Costs one read of all contacts, and one write
-- of each that has a number in another spelling. What was kept until now begins
-- with a country code, so the number is "+" and its digits, but for the "(0)"
-- behind a country code, which is not dialed from abroad and was counted.

-- What two contacts that may be one person both go by: the e-mail address, or this.
ALTER TABLE contact_duplicates ADD COLUMN phone_number text NOT NULL DEFAULT '';

CREATE TABLE phones_read_anew (
  workspace_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  phone_key text NOT NULL,
  PRIMARY KEY (workspace_id, contact_id)
);
INSERT INTO phones_read_anew
  SELECT workspace_id, contact_id, replace(replace(replace(replace(replace(replace(replace(replace(
    phone_number, '(0)', ''), '(', ''), ')', ''), ' ', ''), '-', ''), '.', ''), '/', ''), '+', '')
  FROM contacts WHERE phone_number LIKE '_%(0)%';
DELETE FROM phones_read_anew WHERE length(phone_key) < 7;

-- Of contacts that become equal one has the number; the others keep what they
-- were found by until now, and the pair is proposed as a possible duplicate.
INSERT INTO contact_duplicates (workspace_id, duplicate_id, contact_id, other_id, email, phone_number, dismissed, created_at)
  SELECT a.workspace_id, a.contact_id, a.contact_id, o.contact_id, '', '+' || a.phone_key, false, k.updated_at
  FROM phones_read_anew a
  JOIN contacts k ON k.workspace_id = a.workspace_id AND k.contact_id = a.contact_id
  JOIN contacts o ON o.workspace_id = a.workspace_id AND o.contact_id = COALESCE(
    (SELECT c.contact_id FROM contacts c WHERE c.workspace_id = a.workspace_id AND c.phone_key = a.phone_key),
    (SELECT b.contact_id FROM phones_read_anew b WHERE b.workspace_id = a.workspace_id AND b.phone_key = a.phone_key
      ORDER BY b.contact_id LIMIT 1))
  WHERE o.contact_id <> a.contact_id AND NOT EXISTS (SELECT 1 FROM contact_duplicates d WHERE d.workspace_id = a.workspace_id
    AND (d.contact_id = a.contact_id AND d.other_id = o.contact_id OR d.contact_id = o.contact_id AND d.other_id = a.contact_id));
DELETE FROM phones_read_anew WHERE EXISTS (SELECT 1 FROM contacts c
  WHERE c.workspace_id = phones_read_anew.workspace_id AND c.phone_key = phones_read_anew.phone_key);
DELETE FROM phones_read_anew WHERE EXISTS (SELECT 1 FROM phones_read_anew b
  WHERE b.workspace_id = phones_read_anew.workspace_id AND b.phone_key = phones_read_anew.phone_key
    AND b.contact_id < phones_read_anew.contact_id);

UPDATE contacts SET phone_key = (SELECT a.phone_key FROM phones_read_anew a
    WHERE a.workspace_id = contacts.workspace_id AND a.contact_id = contacts.contact_id)
  WHERE EXISTS (SELECT 1 FROM phones_read_anew a WHERE a.workspace_id = contacts.workspace_id AND a.contact_id = contacts.contact_id);
DROP TABLE phones_read_anew;
UPDATE contacts SET phone_number = '+' || phone_key WHERE phone_key <> '' AND phone_number <> '+' || phone_key;

-- An empty text of a company is none, as everywhere else.
UPDATE companies SET website = NULL WHERE website = '';
UPDATE companies SET industry = NULL WHERE industry = '';
UPDATE companies SET notes = NULL WHERE notes = '';
