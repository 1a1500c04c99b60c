import { COUNTS, FIRST_DAY, DAY, WORDS, makeCategories } from './data.js'
import { seeded } from './random.js'

// The data of the loads q1 to q5: enough rows for a page at position 50,000, and texts to search.

export const ARTICLES = 60_000

/** The row behind which the page of q5 begins, at least, and how many pages there are to choose from. */
export const FAR = { position: 50_000, pages: 50, limit: 20 }

export const ARTICLE_COLUMNS = ['id', 'title', 'body', 'views', 'categoryId', 'createdAt']

/** Few enough for two of them to meet in about ninety articles. */
export const ARTICLE_WORDS = WORDS.flatMap(first => WORDS.slice(0, 12).map(second => first + second))

const WORDS_OF_BODY = 12
export const YEARS = 10

const text = (random, count) => Array.from({ length: count }, () => random.pick(ARTICLE_WORDS)).join(' ')

/** What the bench's categories are called: `amber 1`. */
export const categoryNames = makeCategories(seeded(1)).map(({ name }) => name)

function makeArticle (random, id) {
  return {
    id,
    title: `${text(random, 2)} ${id}`,
    body: text(random, WORDS_OF_BODY),
    views: random.integer(0, 10_000),
    categoryId: random.integer(1, COUNTS.categories),
    createdAt: new Date(FIRST_DAY + random.integer(0, YEARS * 365) * DAY + random.integer(0, DAY - 1)).toISOString()
  }
}

/** 60,000 articles in 50 categories. */
export function makeArticles () {
  const random = seeded(1)
  const categories = makeCategories(random)
  return { Category: categories, Article: Array.from({ length: ARTICLES }, (_, i) => makeArticle(random, i + 1)) }
}
