#include "export/handler_assignment.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace gasnet::exported {
namespace {

using Indices = std::vector<gasnet_handler_t>;

void Handler() {}

std::vector<gasnet_handlerentry_t> Table(const std::vector<int>& indices) {
  std::vector<gasnet_handlerentry_t> table;
  for (const int index : indices) {
    table.push_back({static_cast<gasnet_handler_t>(index),
                     reinterpret_cast<void (*)()>(&Handler)});
  }
  return table;
}
std::optional<Indices> Assign(const std::vector<int>& indices) {
  return AssignHandlers(Table(indices));
}

TEST(HandlerAssignmentTest, KeepsWhatTheTableNames) {
  EXPECT_EQ(Assign({}), Indices{});
  EXPECT_EQ(Assign({255, 128, 200}), (Indices{255, 128, 200}));
}

TEST(HandlerAssignmentTest, ChoosesTheLowestFreeInTheOrderOfTheTable) {
  EXPECT_EQ(Assign({0, 0}), (Indices{128, 129}));
  EXPECT_EQ(Assign({0, 129, 0, 128, 0}), (Indices{130, 129, 131, 128, 132}));
}

TEST(HandlerAssignmentTest, RefusesWhatIsNotTheClients) {
  EXPECT_FALSE(Assign({127}).has_value());
  EXPECT_FALSE(Assign({200, 1}).has_value());
}

TEST(HandlerAssignmentTest, RefusesAnIndexThatStandsTwice) {
  EXPECT_FALSE(Assign({200, 201, 200}).has_value());
}

TEST(HandlerAssignmentTest, RefusesAnEntryWithoutAFunction) {
  auto table = Table({0, 200});
  table[0].fnptr = nullptr;
  EXPECT_FALSE(AssignHandlers(table).has_value());
  table = Table({0, 200});
  table[1].fnptr = nullptr;
  EXPECT_FALSE(AssignHandlers(table).has_value());
}

TEST(HandlerAssignmentTest, TakesAsManyAsThereAreIndices) {
  std::vector<int> indices(127);
  indices.push_back(255);
  const auto assigned = Assign(indices);
  ASSERT_TRUE(assigned.has_value());
  EXPECT_EQ(assigned->front(), 128);
  EXPECT_EQ((*assigned)[126], 254);
  indices.push_back(0);
  EXPECT_FALSE(Assign(indices).has_value());
}

TEST(HandlerAssignmentTest, BeginsWhereItIsTold) {
  EXPECT_EQ(AssignHandlers(Table({0, 200, 0}), 200), (Indices{201, 200, 202}));
  EXPECT_FALSE(AssignHandlers(Table({199}), 200).has_value());
}

}  // namespace
}  // namespace gasnet::exported
