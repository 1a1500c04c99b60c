export { Attacker, campaign, confirmed, replay, type CampaignOptions, type Found, type Outcome } from './campaign.js'
export { faultText, summaryText } from './report.js'
export { readSeed, type Seed } from './seeds.js'
