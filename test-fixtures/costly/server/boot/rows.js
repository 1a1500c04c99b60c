/**
 * As many rows as COSTLY_ROWS says, for anyone who looks for costly requests: long texts of few letters, nested data,
 * relations that lead back.
 */
export default async function ({ models: { Author, Book, Genre, Picture, Note, Staff } }) {
  const count = Number(process.env.COSTLY_ROWS ?? 0)
  if (count === 0 || await Book.count() > 0) return
  let state = 1
  const random = below => (state = (state * 48_271) % 2_147_483_647) % below
  const text = length => Array.from({ length }, () => 'ab '[random(3)]).join('')
  const each = make => Array.from({ length: count }, (_, i) => make(i))
  const authors = await Author.create(Array.from({ length: 20 }, (_, i) => ({ name: `author ${i}`, bio: text(5_000) })))
  const genres = await Genre.create(Array.from({ length: 10 }, (_, i) => ({ name: `genre ${i}` })))
  const books = await Book.create(each(i => ({
    title: `title ${i}`, text: text(300), n: i, authorId: authors[i % 20].id, tags: [text(3), text(4)], at: { lat: i % 90, lng: i % 180 },
    meta: { a: { b: [1, 2, { c: i }] }, list: Array.from({ length: 20 }, (_, k) => ({ k, t: text(5) })) }
  })))
  for (const book of books.slice(0, 100)) await book.genres.add(genres[random(10)])
  await Picture.create(each(i => ({ file: `${i}.png`, imageableType: i % 2 === 0 ? 'Author' : 'Book', imageableId: i % 2 === 0 ? authors[i % 20].id : books[i].id })))
  await Note.create(each(i => ({ text: text(50), authorId: authors[i % 20].id })))
  const staff = await Staff.create(Array.from({ length: 100 }, (_, i) => ({ name: `staff ${i}` })))
  for (const [i, one] of staff.entries()) await one.updateAttributes({ bossId: staff[i >> 1].id })
}
