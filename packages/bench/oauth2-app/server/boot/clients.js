const { BENCH_CLIENT, BENCH_SECRET, BENCH_SCOPE } = process.env

export default app => app.models.OAuthClientApplication.create({
  id: BENCH_CLIENT,
  name: 'Benchmark',
  clientType: 'confidential',
  clientSecret: BENCH_SECRET,
  grantTypes: ['client_credentials'],
  scopes: [BENCH_SCOPE]
})
