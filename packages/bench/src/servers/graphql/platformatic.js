import { COLUMNS } from '../../data.js'
import rest, { numbered, withRelations } from '../rest/platformatic.js'

const ask = (query, variables) => ({ method: 'POST', path: '/graphql', body: { query, variables } })

/** A foreign key is the object that it leads to there. */
const own = (model, key) => COLUMNS[model].filter(name => name !== key).join(' ')
const inOrder = 'orderBy: [{ field: id, direction: ASC }]'
const product = `${own('Product', 'categoryId')} categoryId { id }`

/** The same in the schema that Platformatic makes of the tables. */
const dialect = {
  gq1: ({ id }) => ask(`query ($id: ID!) { product: getProductById(id: $id) { ${product} } }`, { id }),
  gq2: ({ limit, skip }) => ask(
    `query ($limit: LimitInt, $skip: Int) { products: product(limit: $limit, offset: $skip, ${inOrder}) { ${product} } }`,
    { limit, skip }
  ),
  gq3: ({ limit, skip }) => ask(
    `query ($limit: LimitInt, $skip: Int) { products: product(limit: $limit, offset: $skip, ${inOrder}) {
      ${own('Product', 'categoryId')} categoryId { ${own('Category')} } review(limit: 100, ${inOrder}) { ${own('Review', 'productId')} }
    } }`,
    { limit, skip }
  )
}

const plain = ({ categoryId: { id }, ...row }) => numbered({ ...row, categoryId: id })

function normalise (load, { data }) {
  if (load === 'gq1') return { data: { product: plain(data.product) } }
  return { data: { products: data.products.map(load === 'gq2' ? plain : withRelations) } }
}

/** @type {import('../index.js').Server} */
export default {
  ...rest,
  note: 'Platformatic DB 3 with better-sqlite3; a key there is the object that it leads to',
  probe: '/product/1',
  session: async () => ({}),
  request: (load, params) => dialect[load](params),
  normalise
}
