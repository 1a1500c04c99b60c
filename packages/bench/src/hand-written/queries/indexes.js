// What Fastback makes of the `indexes` of its models, made by hand: an order by a column that may be NULL is served by
// an index that has NULL where PostgreSQL would not put it by itself, so there an order by hand is another.

const BY_DATE = 'CREATE INDEX "Article_byDate" ON "Article" ("createdAt" DESC, "id")'
const BY_CATEGORY = 'CREATE INDEX "Article_byCategory" ON "Article" ("categoryId", "createdAt")'

/** Letters that Unicode takes for others where capitals do not count, as in Fastback. */
const ODD = '\u03c2\u00b5\u017f\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1e9b\u1fbe'
const FOLDED = '\u03c3\u03bcs\u03b2\u03b8\u03c6\u03c0\u03ba\u03c1\u03b5\u1e61\u03b9'

/** The words of a text: letters and digits, small. */
const plain = text =>
  `regexp_replace(translate(lower(${text} COLLATE "und-x-icu"), '${ODD}', '${FOLDED}'), '[^[:alnum:]]+', ' ', 'g')`

/** The words of an article in PostgreSQL. */
export const VECTOR = "to_tsvector('pg_catalog.simple'::regconfig, " +
  `${plain('(coalesce("title", \'\') || \' \' || coalesce("body", \'\'))')})`

/** What one word is asked by in PostgreSQL. */
export const word = mark => `phraseto_tsquery('pg_catalog.simple'::regconfig, ${plain(`${mark}::text`)})`

export const POSTGRES_INDEXES = [
  BY_DATE, BY_CATEGORY, `CREATE INDEX "Article_search" ON "Article" USING gin ((${VECTOR}))`
]

const COLUMNS = '"title", "body"'
const OLD = "INSERT INTO \"Article_search\" (\"Article_search\", rowid, \"title\", \"body\") VALUES ('delete', old.rowid, old.\"title\", old.\"body\");"
const NEW = `INSERT INTO "Article_search" (rowid, ${COLUMNS}) VALUES (new.rowid, new."title", new."body");`

export const SQLITE_INDEXES = [
  BY_DATE,
  BY_CATEGORY,
  `CREATE VIRTUAL TABLE "Article_search" USING fts5(${COLUMNS}, content="Article", content_rowid="rowid", ` +
    'tokenize="unicode61 remove_diacritics 0 categories \'L* M* N*\'")',
  'INSERT INTO "Article_search" ("Article_search") VALUES (\'rebuild\')',
  `CREATE TRIGGER "Article_search_insert" AFTER INSERT ON "Article" BEGIN ${NEW} END`,
  `CREATE TRIGGER "Article_search_update" AFTER UPDATE ON "Article" BEGIN ${OLD} ${NEW} END`,
  `CREATE TRIGGER "Article_search_delete" AFTER DELETE ON "Article" BEGIN ${OLD} END`
]
