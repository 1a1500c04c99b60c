export const schema = `
  scalar SafeInt
  type Category { id: Int! name: String position: Int }
  type Review { id: Int! productId: Int rating: Int text: String author: String createdAt: String }
  type Product {
    id: Int!
    name: String
    sku: String
    price: Float
    stock: Int
    available: Boolean
    releasedAt: String
    categoryId: Int
    description: String
    category: Category
    reviews: [Review!]!
  }
  type Query {
    product (id: SafeInt!): Product
    products (limit: Int, skip: Int): [Product!]!
  }
`
