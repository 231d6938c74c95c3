# SPDX-License-Identifier: Apache-2.0
"""What speculation needs of vllm_plugin.py: the tokens that a model of drafts is asked about."""

SCHEMAS = (
    "npu_copy_and_expand_eagle_inputs(Tensor target_token_ids, Tensor target_positions, "
    "Tensor next_token_ids, Tensor query_start_loc, Tensor query_end_loc, int padding_token_id, "
    "int parallel_drafting_token_id, int num_padding_slots_per_request, bool shift_input_ids, "
    "int total_draft_tokens) -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)",
)


def _npu_copy_and_expand_eagle_inputs(target_token_ids, target_positions, next_token_ids,
                                      query_start_loc, query_end_loc, padding_token_id,
                                      parallel_drafting_token_id, num_padding_slots_per_request,
                                      shift_input_ids, total_draft_tokens):
    """Each request's tokens up to query_end_loc, shifted without the first one; the next token; places
    for more tokens guessed at once; padding for the tokens rejected. Tokens, positions, which ones are
    padding, which are places, where the next token and the places are, where tokens went if shifted.
    """
    import torch
    device, slots, shift = target_token_ids.device, num_padding_slots_per_request, int(shift_input_ids)
    starts, next_starts = query_start_loc[:-1].long(), query_start_loc[1:].long()
    requests = starts.shape[0]
    first = starts + torch.arange(requests, device=device) * (slots - shift)
    kept = (query_end_loc.long() - starts + 1 - shift).clamp(min=0)
    places = first + kept

    row = torch.arange(total_draft_tokens, device=device)
    request = ((row[:, None] >= first).sum(1) - 1).clamp(min=0)
    within = row - first[request]
    known, all_of_it = kept[request], (next_starts - starts + slots - shift)[request]
    token = (starts[request] + shift + within).clamp(0, target_token_ids.shape[0] - 1)
    is_place = (within > known) & (within < known + slots)
    asked = within < known + slots
    is_padding = ~asked & (within < all_of_it)
    tokens = torch.where(within < known, target_token_ids[token].long(), next_token_ids[request].long())
    tokens = torch.where(is_place, parallel_drafting_token_id, tokens)
    tokens = torch.where(asked, tokens, is_padding * padding_token_id)  # behind all requests 0
    start = starts[request].clamp(max=target_positions.shape[0] - 1)
    positions = torch.where(asked, target_positions[start].long() + within, 0)

    went = torch.zeros_like(target_token_ids, dtype=torch.int32)
    if shift_input_ids:
        token = torch.arange(target_token_ids.shape[0], device=device)
        of_request = ((token[:, None] >= starts).sum(1) - 1).clamp(min=0)
        went = (first[of_request] + token - starts[of_request]).int()
    new = (places[:, None] + torch.arange(slots, device=device)).flatten()
    return (tokens.int(), positions.int(), is_padding.char(), is_place.char(), new.int(), went)
