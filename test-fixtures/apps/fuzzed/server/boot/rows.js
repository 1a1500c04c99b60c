export default async ({ models: { Shelf, Book, Tag } }) => {
  await Shelf.create([{ name: 'left', place: { lat: 1, lng: 2 }, code: 'x', labels: ['a'] }, { name: 'right' }])
  const books = await Book.create([1, 2, 3].map(id => ({ id: `b${id}`, title: `book ${id}`, pages: id * 100, price: id * 2, printed: new Date(Date.UTC(2000 + id, 1)), shelfId: 1, details: { language: 'en', size: { width: id } }, similarIds: ['b1'] })))
  const tags = await Tag.create([{ name: 'old' }, { name: 'new' }])
  await books[0].tags.add(tags[0])
}
