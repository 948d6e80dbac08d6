-- compatible: the version before writes notices without an epoch, which are not mailed, and choices without a language,
-- which stay as they are.

-- The epoch of the store in which a notice was told last: after a restore, what happened before is not mailed. Adding the
-- columns takes no longer with many rows.
ALTER TABLE notices ADD COLUMN epoch text NOT NULL DEFAULT '';
-- The language of a member's digests.
ALTER TABLE notice_preferences ADD COLUMN language text NOT NULL DEFAULT 'en';
