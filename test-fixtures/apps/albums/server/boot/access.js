export default app => { app.enableAuth() }
