// The text indexes as Fastback makes them, and what of them stands in queries.

/** The words of a text: letters and digits, small. */
const plain = text =>
  `regexp_replace(translate(lower(${text} COLLATE "und-x-icu"), '', ''), '[^[:alnum:]]+', ' ', 'g')`

/** The words of an article in PostgreSQL. */
export const VECTOR = "to_tsvector('pg_catalog.simple'::regconfig, " +
  `${plain('(coalesce("title", \'\') || \' \' || coalesce("body", \'\'))')})`

/** What one word is asked by in PostgreSQL. */
export const word = mark => `phraseto_tsquery('pg_catalog.simple'::regconfig, ${plain(`${mark}::text`)})`

export const POSTGRES_INDEX = [`CREATE INDEX "Article_search" ON "Article" USING gin ((${VECTOR}))`]

const COLUMNS = '"title", "body"'
const OLD = "INSERT INTO \"Article_search\" (\"Article_search\", rowid, \"title\", \"body\") VALUES ('delete', old.rowid, old.\"title\", old.\"body\");"
const NEW = `INSERT INTO "Article_search" (rowid, ${COLUMNS}) VALUES (new.rowid, new."title", new."body");`

export const SQLITE_INDEX = [
  `CREATE VIRTUAL TABLE "Article_search" USING fts5(${COLUMNS}, content="Article", content_rowid="rowid", ` +
    'tokenize="unicode61 remove_diacritics 0 categories \'L* M* N*\'")',
  'INSERT INTO "Article_search" ("Article_search") VALUES (\'rebuild\')',
  `CREATE TRIGGER "Article_search_insert" AFTER INSERT ON "Article" BEGIN ${NEW} END`,
  `CREATE TRIGGER "Article_search_update" AFTER UPDATE ON "Article" BEGIN ${OLD} ${NEW} END`,
  `CREATE TRIGGER "Article_search_delete" AFTER DELETE ON "Article" BEGIN ${OLD} END`
]
