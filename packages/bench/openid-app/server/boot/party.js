const { BENCH_CLIENT, BENCH_SECRET, BENCH_REDIRECT, BENCH_EMAIL, BENCH_PASSWORD } = process.env

/** One user, and one application that is asked for no consent: codes can be had by the hundred. */
export default async ({ models }) => {
  await models.User.create({ email: BENCH_EMAIL, password: BENCH_PASSWORD, emailVerified: true })
  await models.OAuthClientApplication.create({
    id: BENCH_CLIENT,
    name: 'Benchmark',
    clientType: 'confidential',
    clientSecret: BENCH_SECRET,
    redirectURIs: [BENCH_REDIRECT],
    grantTypes: ['authorization_code'],
    responseTypes: ['code'],
    scopes: ['openid', 'email'],
    trusted: true
  })
}
