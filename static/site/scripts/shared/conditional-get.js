// Returns a function that fetches an address, again and again: the server answers 304, without a
// body, for as long as the answer would be the one that came last.
export const conditionalGet = () => {
  let tag = "";
  return async (address, options = {}) => {
    const headers = { "HX-Request": "true", ...(tag && { "If-None-Match": tag }) };
    const response = await fetch(address, { headers, ...options });
    if (response.ok) tag = response.headers.get("ETag");
    return response;
  };
};
