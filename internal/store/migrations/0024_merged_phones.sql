-- compatible: the version before records no phone numbers of merged contacts, and erases those that it knows.

-- A contact that was merged leaves its phone number behind, as it is compared: members
-- of groups are known by it, and an erasure of the person has to find them. Those that
-- were merged earlier left none.
ALTER TABLE merged_contacts ADD COLUMN phone_key text NOT NULL DEFAULT '';
