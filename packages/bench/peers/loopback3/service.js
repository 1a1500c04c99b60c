'use strict'

const loopback = require('loopback')

// A model on a data source of loopback-connector-rest: the load s1.

const { BENCH_PORT, BENCH_SERVICE } = process.env
const app = loopback()
const template = { method: 'GET', url: `${BENCH_SERVICE}/stations/{id}` }
const service = app.dataSource('service', {
  connector: require('loopback-connector-rest'), operations: [{ template, functions: { byId: ['id'] } }]
})
app.model(loopback.createModel({ name: 'Station', base: 'Model' }), { dataSource: service, public: true })
app.use('/api', loopback.rest())
app.listen(Number(BENCH_PORT), '127.0.0.1')
