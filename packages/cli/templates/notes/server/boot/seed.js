// Some rows for the first start. What is in the database stays as it is.

/** @param {import('../../models.js').Application} app */
export default async function seed (app) {
  const { Category, Note } = app.models
  if (await Category.count() > 0) return
  const home = await Category.create({ name: 'Home' })
  const work = await Category.create({ name: 'Work' })
  await Note.create([
    { title: 'Buy milk', content: 'Two litres, and bread if there is any.', categoryId: home.id },
    { title: 'Water the plants', done: true, categoryId: home.id },
    { title: 'Write the report', content: 'Three pages until Friday.', categoryId: work.id },
    { title: 'Think of a name' }
  ])
}
