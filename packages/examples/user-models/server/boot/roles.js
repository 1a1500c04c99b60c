// Who somebody is follows from the model that made the token: no row says it, so none can be forgotten or forged.

export default function roles ({ models: { Role, Customer, Worker } }) {
  for (const [name, Model] of [['customer', Customer], ['worker', Worker]]) {
    Role.registerResolver(name, async (role, { accessToken }) => accessToken?.principalType === Model.modelName)
  }
}
