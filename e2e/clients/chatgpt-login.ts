/** The account that the login is of. */
const ACCOUNT = "account-1";

/** Codex's `auth.json` after a login with ChatGPT: its requests are then compressed, and it sends more of them. */
export function chatGptLogin(): string {
  const claims = {
    exp: 4_102_444_800,
    email: "someone@localhost",
    "https://api.openai.com/auth": {
      ...{ chatgpt_plan_type: "pro", chatgpt_account_id: ACCOUNT, chatgpt_user_id: "user-1" },
    },
  };
  const token = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat("c2lnbmF0dXJl")
    .join(".");
  return JSON.stringify({
    auth_mode: "chatgpt",
    tokens: { id_token: token, access_token: token, refresh_token: "none", account_id: ACCOUNT },
    last_refresh: new Date().toISOString(),
  });
}
