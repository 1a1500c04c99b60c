import { DefaultCrudRepository, Entity, ModelDefinition, defineModelClass } from '@loopback/repository'

const number = { type: 'number' }
const string = { type: 'string' }
const date = { type: 'date' }
const boolean = { type: 'boolean' }
const id = { type: 'number', id: true, generated: true }

function entity (name, properties, relations = []) {
  const definition = new ModelDefinition({ name, properties, settings: { strict: true, forceId: true } })
  const model = defineModelClass(Entity, definition)
  for (const relation of relations) model.definition.addRelation({ ...relation, source: model })
  return model
}

const product = {
  id, name: string, sku: string, price: number, stock: number, available: boolean, releasedAt: date, categoryId: number,
  description: string
}

export const Category = entity('Category', { id, name: string, position: number })
export const Review = entity('Review', { id, productId: number, rating: number, text: string, author: string, createdAt: date })
export const Product = entity('Product', product, [
  { name: 'category', type: 'belongsTo', targetsMany: false, target: () => Category, keyFrom: 'categoryId', keyTo: 'id' },
  { name: 'reviews', type: 'hasMany', targetsMany: true, target: () => Review, keyTo: 'productId' }
])
export const Guarded = entity('Guarded', product)
export const BenchToken = entity('BenchToken', {
  id: { type: 'string', id: true }, ttl: number, created: number, userId: number
})

/** Repositories over one data source, the products' with both inclusion resolvers. */
export function makeRepositories (dataSource) {
  const categories = new DefaultCrudRepository(Category, dataSource)
  const reviews = new DefaultCrudRepository(Review, dataSource)

  class ProductRepository extends DefaultCrudRepository {
    constructor () {
      super(Product, dataSource)
      const category = this.createBelongsToAccessorFor('category', async () => categories)
      const ofProduct = this.createHasManyRepositoryFactoryFor('reviews', async () => reviews)
      this.registerInclusionResolver('category', category.inclusionResolver)
      this.registerInclusionResolver('reviews', ofProduct.inclusionResolver)
    }
  }

  return {
    products: new ProductRepository(),
    guarded: new DefaultCrudRepository(Guarded, dataSource),
    tokens: new DefaultCrudRepository(BenchToken, dataSource)
  }
}
