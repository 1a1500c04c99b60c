CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE books (
  isbn TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  pages INTEGER CHECK (pages > 0),
  author_id INTEGER NOT NULL REFERENCES authors (id)
);
INSERT INTO authors VALUES (1, 'Ann'), (2, 'Ben');
INSERT INTO books VALUES ('1', 'On bread', 120, 1), ('2', 'On milk', 80, 1), ('3', 'On tables', 200, 2);
