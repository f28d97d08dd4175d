-- Tables of version 3, as a store of that version has them.
CREATE TABLE store (
    id         BLOB NOT NULL,
    master_key INTEGER NOT NULL,
    key_check  BLOB NOT NULL
) STRICT;

CREATE TABLE projects (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE data_keys (
    project    TEXT NOT NULL REFERENCES projects (id),
    epoch      INTEGER NOT NULL,
    master_key INTEGER NOT NULL,
    wrapped    BLOB NOT NULL,
    PRIMARY KEY (project, epoch)
) STRICT, WITHOUT ROWID;

CREATE TABLE widget_keys (
    id      TEXT PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (id),
    live    INTEGER NOT NULL,
    origins TEXT NOT NULL, -- JSON array of patterns
    apps    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- One row per widget token: what it opens, the nonce and the idempotency key of its request.
CREATE TABLE tokens (
    id           BLOB PRIMARY KEY NOT NULL, -- 16 bytes, the first part of the token
    hash         BLOB NOT NULL,    -- SHA-256 of the whole token
    project      TEXT NOT NULL,
    epoch        INTEGER NOT NULL, -- version of the project's data key
    state        INTEGER NOT NULL, -- 0 ready, 1 reserved, 2 used up
    operation    TEXT,             -- which has reserved it or used it up
    nonce        BLOB,             -- 21 bytes: time at which the envelope was made, and its nonce
    idempotency  BLOB,             -- MAC of the caller's key; gone with the answer
    answer       BLOB,
    answer_until INTEGER,
    facts        BLOB NOT NULL,
    card         BLOB,             -- gone once used up
    code         BLOB,             -- gone once an acquirer has answered
    code_hour    INTEGER,
    expires_at   INTEGER NOT NULL,
    remove_at    INTEGER NOT NULL  -- when neither the token nor its nonce is of use any more
) STRICT;
CREATE UNIQUE INDEX tokens_nonce ON tokens (nonce, project);
CREATE UNIQUE INDEX tokens_idempotency ON tokens (idempotency) WHERE idempotency IS NOT NULL;
CREATE INDEX tokens_answer_until ON tokens (answer_until) WHERE answer IS NOT NULL;
CREATE INDEX tokens_remove_at ON tokens (remove_at);

-- One row per operation that has the card of a token.
CREATE TABLE operations (
    project    TEXT NOT NULL,
    id         TEXT NOT NULL,
    token      BLOB NOT NULL,    -- id part
    epoch      INTEGER NOT NULL,
    outcome    INTEGER,          -- 1 used up, 2 released; NULL while open
    card       BLOB,             -- gone once settled
    code       BLOB,             -- gone once settled
    code_hour  INTEGER,
    expires_at INTEGER NOT NULL,
    source     INTEGER NOT NULL, -- what the token is: 0 a widget token, 1 a saved card
    saved      BLOB,             -- id part of the lasting token, where it saves its card
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX operations_code_hour ON operations (code_hour) WHERE code IS NOT NULL;
CREATE INDEX operations_expires_at ON operations (expires_at);
CREATE INDEX operations_saved ON operations (saved) WHERE saved IS NOT NULL;

-- One row per saved card.
CREATE TABLE lasting (
    id      BLOB PRIMARY KEY, -- 16 bytes, the first part of the lasting token
    hash    BLOB NOT NULL,    -- SHA-256 of the whole token
    project TEXT NOT NULL,
    epoch   INTEGER NOT NULL, -- version of the project's data key
    record  BLOB NOT NULL,
    kept    INTEGER NOT NULL  -- 0 until an operation that saved it has succeeded
) STRICT, WITHOUT ROWID;
CREATE INDEX lasting_epoch ON lasting (project, epoch, id);
CREATE INDEX lasting_not_kept ON lasting (id) WHERE kept = 0;

-- Finds an equal card of the same holder.
CREATE TABLE fingerprints (
    fingerprint BLOB NOT NULL, -- 32 bytes, a MAC
    project     TEXT NOT NULL,
    lasting     BLOB NOT NULL, -- id part of the lasting token
    PRIMARY KEY (fingerprint, project)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX fingerprints_lasting ON fingerprints (lasting);

-- The audit log. A chain belongs to one instance, from its start to its end.
CREATE TABLE audit (
    chain   BLOB NOT NULL,    -- 16 bytes
    number  INTEGER NOT NULL, -- from 1
    content BLOB NOT NULL,    -- what was done
    mac     BLOB NOT NULL,    -- over the record before and this one
    PRIMARY KEY (chain, number)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 0x43576467;
PRAGMA user_version = 3;
