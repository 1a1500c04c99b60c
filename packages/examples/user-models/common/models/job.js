// A job belongs to the customer who asks for it, whatever the body says.

export default function (Job) {
  Job.observe('before save', async ctx => {
    const { accessToken } = ctx.options
    if (ctx.isNewInstance && accessToken?.principalType === 'Customer') ctx.instance.customerId = accessToken.userId
  })
}
