/** Two users, a client of OAuth, and the orders of a small shop. */
const day = 86_400_000
const cities = ['Lima', 'Rome', 'Oslo', 'Kyoto', 'Porto']
const people = ['Ada Byron', 'Grace Hopper', 'Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov', 'Donald Knuth']
const kinds = ['Green', 'Black', 'White', 'Fruit']
const states = ['open', 'paid', 'sent', 'returned']

const list = (length, make) => Array.from({ length }, (_, index) => make(index))

module.exports = async app => {
  const { Customer, Order, OrderLine, Product, Category, OAuthClientApplication, User, Role } = app.models
  if (await Product.count() > 0) return
  const ann = await User.create({ email: 'ann@example.com', username: 'ann', password: 'a long secret 1' })
  await User.create({ email: 'bob@example.com', username: 'bob', password: 'a long secret 2' })
  const role = await Role.create({ name: 'admin' })
  await role.principals.create({ principalType: 'USER', principalId: ann.id })
  await OAuthClientApplication.create({
    id: 'studio',
    name: 'Studio',
    clientType: 'public',
    tokenEndpointAuthMethod: 'none',
    scopes: ['orders'],
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectURIs: [process.env.STUDIO_PAGE ?? 'http://127.0.0.1/studio/']
  })
  const categories = await Category.create(['Tea', 'Coffee', 'Cups'].map(name =>
    ({ name, description: `All our ${name.toLowerCase()}` })))
  const products = await Product.create(list(40, i => ({
    name: `${kinds[i % 4]} ${categories[i % 3].name.toLowerCase()} ${i}`,
    sku: `SKU-${1000 + i}`,
    price: 3 + i / 2,
    stock: i * 3,
    active: i % 7 !== 0,
    categoryId: categories[i % 3].id
  })))
  const customers = await Customer.create(list(60, i => ({
    name: `${people[i % 6]} ${i}`,
    email: `c${i}@example.com`,
    city: cities[i % 5],
    place: { lat: -12 + i, lng: -77 + i * 2 },
    vip: i % 4 === 0,
    since: new Date(Date.now() - i * 9 * day),
    tags: ['new', 'mail'].slice(0, i % 3),
    address: { street: `Road ${i}`, zip: 1000 + i }
  })))
  const orders = await Order.create(list(300, i => ({
    number: `2026-${1000 + i}`,
    status: states[i % 4],
    total: 10.5 + (i * 37) % 400,
    placedAt: new Date(Date.now() - i * day / 12),
    paid: i % 4 !== 0,
    customerId: customers[i % 60].id
  })))
  await OrderLine.create(orders.flatMap((order, i) => [1, 2].map(quantity =>
    ({ quantity, price: 5 + i % 9, orderId: order.id, productId: products[(i + quantity) % 40].id }))))
}
