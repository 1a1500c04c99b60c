import { seeded } from './random.js'

export const COUNTS = { categories: 50, products: 10_000, reviews: 30_000 }

export const COLUMNS = {
  Category: ['id', 'name', 'position'],
  Product: ['id', 'name', 'sku', 'price', 'stock', 'available', 'releasedAt', 'categoryId', 'description'],
  Review: ['id', 'productId', 'rating', 'text', 'author', 'createdAt']
}

export const WORDS = (
  'amber basket canvas drawer engine folder garden hammer island jacket kettle ladder marble needle oyster ' +
  'pencil quiver ribbon saddle timber urchin velvet window yellow zipper'
).split(' ')
const AUTHORS = ['Ada', 'Björn', 'Chloé', 'Dmitri', 'Emiko', 'Fatima', 'Goran', 'Hana', 'Ines', 'Jonas']
export const DAY = 86_400_000
export const FIRST_DAY = Date.UTC(2015, 0, 1)

/** Prices in cents, each used once, so that an order by price is the same order everywhere. */
function distinctPrices (random, count) {
  const cents = Array.from({ length: 49_900 }, (_, index) => 100 + index)
  for (let i = 0; i < count; i++) {
    const j = random.integer(i, cents.length - 1);
    [cents[i], cents[j]] = [cents[j], cents[i]]
  }
  return cents.slice(0, count)
}

function sentence (random, length) {
  let text = random.pick(WORDS)
  while (text.length < length) text += ' ' + random.pick(WORDS)
  return text
}

function moment (random) {
  return new Date(FIRST_DAY + random.integer(0, 3650) * DAY + random.integer(0, DAY - 1)).toISOString()
}

/** A product without id, as a client would post it. */
export function makeProduct (random, number, cents = random.integer(100, 50_000)) {
  return {
    name: `${random.pick(WORDS)} ${random.pick(WORDS)} ${number}`,
    sku: `SKU-${String(number).padStart(6, '0')}`,
    price: cents / 100,
    stock: random.integer(0, 500),
    available: random.next() < 0.8,
    releasedAt: moment(random),
    categoryId: random.integer(1, COUNTS.categories),
    description: sentence(random, 78)
  }
}

function makeReview (random, id) {
  return {
    id,
    productId: random.integer(1, COUNTS.products),
    rating: random.integer(1, 5),
    text: sentence(random, 60),
    author: random.pick(AUTHORS),
    createdAt: moment(random)
  }
}

export function makeCategories (random) {
  return Array.from({ length: COUNTS.categories }, (_, i) => ({
    id: i + 1, name: `${random.pick(WORDS)} ${i + 1}`, position: COUNTS.categories - i
  }))
}

/**
 * The whole data set: 50 categories, 10,000 products, 30,000 reviews.
 * @param {number} [seed]
 */
export function makeData (seed = 1) {
  const random = seeded(seed)
  const prices = distinctPrices(random, COUNTS.products)
  return {
    Category: makeCategories(random),
    Product: prices.map((cents, i) => ({ id: i + 1, ...makeProduct(random, i + 1, cents) })),
    Review: Array.from({ length: COUNTS.reviews }, (_, i) => makeReview(random, i + 1))
  }
}
